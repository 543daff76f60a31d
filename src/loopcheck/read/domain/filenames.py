"""Names of files, by how they are put together."""

from __future__ import annotations

from loopcheck.read.domain.terms import Term
from loopcheck.words import COUNTERS, TEMPORARY, words

_PUTTING_TOGETHER = frozenset({
    "argparse.ArgumentParser", "argparse.ArgumentParser.parse_args", "builtins.str", "os.fspath", "os.path.abspath",
    "os.path.expanduser", "os.path.join", "pathlib.Path", "tempfile.TemporaryDirectory", "tempfile.mkdtemp", ".format",
    ".joinpath",
})  # fmt: skip
"""Calls that give the same name for the same parts."""


def lasts(name: Term) -> bool | None:
    """Whether this is one file's name all through a run: of literals, settings and parameters, none of which counts.

    None where it cannot be told, and of a file that is there for a moment.
    """
    return True if name.head in _NAMES and all(map(_stays, name.parts())) else None


_NAMES = frozenset({"constant", "text", "+", "/", "%", "call", "name", "formal", "attribute"})


def _stays(part: Term) -> bool:
    match part.head, part.operands:
        case "constant", ((kind, str(literal)),):
            return kind == "str" and words(literal).isdisjoint(TEMPORARY)
        case "text", (str(written), *_):
            return words(written).isdisjoint(TEMPORARY)
        case "call", (str(function), *_):
            return function in _PUTTING_TOGETHER
        case "attribute" | "name" | "formal", (*_, str(name)):
            return words(name).isdisjoint(COUNTERS | TEMPORARY)
        case head, _:
            return head in ("+", "/", "%", "items")

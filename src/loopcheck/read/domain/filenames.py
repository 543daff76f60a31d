"""Names of files, by how they are put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from loopcheck.read.domain.terms import Term
from loopcheck.words import COUNTERS, TEMPORARY, words

_PUTTING_TOGETHER = frozenset({
    "argparse.ArgumentParser", "argparse.ArgumentParser.parse_args", "builtins.open", "builtins.str", "os.fspath",
    "os.path.abspath", "os.path.expanduser", "os.path.join", "pathlib.Path", ".format", ".joinpath",
})  # fmt: skip
"""Calls that give the same name for the same parts."""


def opened(file: Term) -> Term:
    """The name of a file that was opened, or that is given by its name."""
    match file.head, file.operands:
        case "call", ("builtins.open", Term(head="items", operands=(Term() as name, *_))):
            return name
    return file


def is_path(name: Term) -> bool:
    """Whether this is put together as names of files are, `folder / "last.pt"`."""
    match name.head, name.operands:
        case "/", (_, Term(head="constant", operands=((kind, _),)) | Term(head=("text" as kind))):
            return kind in ("str", "text")
        case "call", (str(function), *_):
            return function in ("os.path.join", "pathlib.Path", ".joinpath")
    return False


def lasts(name: Term, before: Callable[[Term], bool]) -> bool | None:
    """Whether this is one file's name all through a run: of literals, settings and parameters, none of which counts.

    None where it cannot be told, and of a file that is there for a moment. before: whether a call was made before the loops.
    """
    match name.head, name.operands:
        case "constant", ((kind, str(literal)),):
            stays = kind == "str" and words(literal).isdisjoint(TEMPORARY)
        case "text", (str(written), *parts):
            stays = words(written).isdisjoint(TEMPORARY) and _all_last(parts, before)
        case "call", (str(function), *parts):
            stays = before(name) or (function in _PUTTING_TOGETHER and _all_last(parts, before))
        case "attribute" | "name" | "formal", (*parts, str(called)):
            stays = words(called).isdisjoint(COUNTERS | TEMPORARY) and _all_last(parts, before)
        case "item", (Term() as whole, Term(head="constant", operands=(("str", str(key)),))):  # `cfg["snapshot_path"]`
            stays = words(key).isdisjoint(COUNTERS | TEMPORARY) and bool(lasts(whole, before))
        case "choice", (_, *parts):
            stays = _all_last(parts, before)
        case head, parts:
            stays = head in ("+", "/", "%", "items") and _all_last(parts, before)
    return stays or None


def _all_last(parts: Iterable[object], before: Callable[[Term], bool]) -> bool:
    return all(lasts(each, before) for each in parts if isinstance(each, Term))

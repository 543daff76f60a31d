"""What a file's bytes say at once: what it imports, and of what it speaks. Every file of a project is looked at so, to judge one
of them, so nothing is parsed, and no pattern is tried where a word of it is not there."""

from __future__ import annotations

import re
from typing import NamedTuple


class Said(NamedTuple):
    """imports: modules and names of modules alike. says: what it speaks of, of the words that are looked for. appends: what it
    puts on the path."""

    imports: list[str]
    says: list[str]
    appends: list[str]


class _Pattern(NamedTuple):
    """A pattern of what stands behind the end of a line or in it, and the words of which one is in whatever it matches: to find
    a word takes a tenth of the time."""

    words: tuple[bytes, ...]
    whole: re.Pattern[bytes]

    def search(self, data: bytes) -> bool:
        return any(word in data for word in self.words) and self.whole.search(data) is not None


_SAYS = {
    "defines": _Pattern((b"def ",), re.compile(rb"\ndef ")),
    "grad": _Pattern((b"grad(",), re.compile(rb"\bgrad\(")),
    "volatile": _Pattern((b"volatile",), re.compile(rb"\bvolatile\w* *= *True\b")),
    "imports by name": _Pattern(
        (b"__import__(", b"import_module(", b"get_class(", b"locate("),
        re.compile(rb"\b__import__\(|\bimport_module\((?![\"'])|\bget_class\(|\blocate\("),
    ),
    "torch 0.4": _Pattern(
        (b"no_grad", b"inference_mode", b"torch.device(", b".item()"),
        re.compile(rb"\bno_grad\b|\binference_mode\b|\btorch\.device\(|\bloss\w*\.item\(\)"),
    ),
}
"""What is looked for in every file, by a word for it."""
_APPENDS = re.compile(rb"\bsys\.path\.(?:append\(|insert\( *\d+ *,) *[rf]?[\"']([^\"'{}\n]+)[\"'] *\)")
"""What a file says to be on the path, in so many words."""
_RUN = _Pattern((b"__name__",), re.compile(rb"\nif +__name__ *== *"))
"""What a script says at its end."""
_IMPORT = re.compile(r"\n[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|(?:.*\\\n)*.+)|import[ \t]+((?:.*\\\n)*.+))")
"""A statement behind the end of a line: that one character is found faster than the beginning of a line is."""


def said(data: bytes) -> Said:
    """All that is kept of a file's bytes."""
    lines = b"\n" + data
    says = [word for word, pattern in _SAYS.items() if pattern.search(lines)]
    return Said(sorted(set(imported(data))), says, appended(data))


def appended(data: bytes) -> list[str]:
    """The folders that code puts on the path."""
    return [each.decode(errors="replace") for each in (_APPENDS.findall(data) if b"sys.path." in data else ())]


def is_run(data: bytes) -> bool:
    """Whether code says what is done where it is run."""
    return _RUN.search(b"\n" + data)


def imported(data: bytes) -> list[str]:
    """The modules that code imports, and what it imports from them, by their full names."""
    statements = _IMPORT.findall("\n" + data.decode(errors="replace"))
    names = [name for module, inner, _ in statements if module for name in [module, *_inner(module, inner)]]
    return [*names, *(name for module, _, tops in statements if not module for name in _names(tops))]


def _inner(module: str, names: str) -> list[str]:
    joint = "" if module.endswith(".") else "."
    return [f"{module}{joint}{name}" for name in _names(names.strip("()"))]


def _names(listed: str) -> list[str]:
    parts = re.sub(r"#.*", "", listed).replace("\\\n", " ").split(",")
    return [words[0] for part in parts if (words := part.split()) and re.fullmatch(r"[.\w]+", words[0])]

"""The scripts in a rule's folder: with the bug, and right."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from loopcheck.rule import Rule


def unmarked(data: bytes) -> bytes:
    """A script's bytes without the marks: they point at the bug and have no place in what is right."""
    return re.sub(rb"[ \t]*#[ \t]*bug(?:: [\w, -]+)?$", b"", data, flags=re.MULTILINE)


def difference(rule: Rule) -> list[str]:
    """What makes the bad script good, as a unified diff without its head; a line that only a mark tells apart is none of it.

    Docstrings at the top, which say of each script what it is, are left out.
    """
    bad, good = (unmarked((rule.folder / name).read_bytes()).decode() for name in ("bad.py", "good.py"))
    lines = [line.rstrip() for line in difflib.unified_diff(_code(bad), _code(good), n=3, lineterm="")][2:]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def twin(script: Path) -> bytes | None:
    """What a bad script should have been: its `good_*.py`, else what `twins.txt` changes in it, else not known."""
    if (good := script.with_name(script.name.replace("bad", "good", 1))).is_file():
        return good.read_bytes()
    if (patch := twins(script.parent).get(script.name)) is None:
        return None
    return _patched(unmarked(script.read_bytes()).decode(), patch).encode()


def twins(folder: Path) -> dict[str, str]:
    """What `twins.txt` changes in scripts of this folder, by their names.

    It is written by hand, as a diff without numbers: `--- bad_x.py`, then hunks that `@@` parts, each of which fits one place.
    """
    file = folder / "twins.txt"
    if not file.is_file():
        return {}
    parts = re.split(r"^--- (.+)\n", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _patched(text: str, patch: str) -> str:
    """The text with every hunk carried out. Raises ValueError for one that does not fit one place."""
    for hunk in re.split(r"^@@\n", patch, flags=re.MULTILINE):
        lines = hunk.splitlines(keepends=True)
        old, new = ("\n" + "".join(line[1:] or "\n" for line in lines if line[0] in kept) for kept in (" \n-", " \n+"))
        if f"\n{text}".count(old) != 1:
            raise ValueError(f"twins.txt: a hunk does not fit one place:\n{hunk}")
        text = f"\n{text}".replace(old, new)[1:]
    return text


def _code(script: str) -> list[str]:
    """The lines of a script after its docstring."""
    return re.sub(r'\A""".*?"""\n+', "", script, count=1, flags=re.DOTALL).splitlines()

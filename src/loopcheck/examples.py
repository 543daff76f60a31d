"""The scripts in a rule's folder: with the bug, and right."""

from __future__ import annotations

import difflib
import re

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


def _code(script: str) -> list[str]:
    """The lines of a script after its docstring."""
    return re.sub(r'\A""".*?"""\n+', "", script, count=1, flags=re.DOTALL).splitlines()

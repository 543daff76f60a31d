"""The rules themselves, as a person reads them: all in a table, or one with its page."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from loopcheck.fix import DISPLAY, SAFE, UNSAFE
from loopcheck.rule import Rule

_INCLUDE = re.compile(r'^[ \t]*--8<--[ \t]+"([^"]+)"[ \t]*$', re.MULTILINE)
_FENCED = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FIXES = {
    SAFE: "mended by `loopcheck check --fix`",
    UNSAFE: "mended by `loopcheck check --fix --unsafe-fixes`, which changes the result: look at it",
    DISPLAY: "shown, to be done by hand",
}


def table(rules: Sequence[Rule]) -> str:
    """One line for each rule."""
    width = max((len(rule.name) for rule in rules), default=0)
    return "\n".join(
        f"{click.style(rule.code, bold=True)}  {rule.name:<{width}}  {rule.group:<8}  {_mark(rule):<6}  {rule.title}"
        for rule in rules
    )


def page(rule: Rule) -> str:
    """A rule's title, how it is classed and mended, and its page with the scripts it shows."""
    fix = _FIXES[rule.fix.applicability] if rule.fix else "none: a person decides"
    head = [
        click.style(f"{rule.name} ({rule.code})", bold=True),
        rule.title,
        "",
        f"Group: {rule.group}",
        f"Fix:   {fix}",
        f"Proof: run `loopcheck prove {rule.name}` to measure it",
    ]
    return "\n".join(head) + "\n\n" + _text(rule.folder).strip()


def markdown(rule: Rule) -> str:
    """A rule's page as Markdown."""
    return _whole(rule.folder).strip()


def as_json(rules: Iterable[Rule]) -> str:
    """The rules, as one JSON list."""
    return json.dumps([_item(rule) for rule in rules], indent=2)


def _item(rule: Rule) -> dict[str, Any]:
    return {
        "code": rule.code,
        "name": rule.name,
        "group": rule.group,
        "severity": rule.group,
        "fix": rule.fix.applicability if rule.fix else None,
        "summary": rule.title,
    }


def _mark(rule: Rule) -> str:
    return rule.fix.applicability if rule.fix else ""


def _text(folder: Path) -> str:
    """The page with its includes filled in and its code indented, as a terminal needs it."""
    return _FENCED.sub(lambda block: textwrap.indent(block[1], "    "), _whole(folder))


def _whole(folder: Path) -> str:
    """The page with its includes filled in; empty where there is none."""
    file = folder / "page.md"
    if not file.is_file():
        return ""
    return _INCLUDE.sub(lambda include: _included(folder, include[1]), file.read_text(encoding="utf-8"))


def _included(folder: Path, name: str) -> str:
    file = folder / Path(name).name
    if not file.is_file():  # the proof's figures, which a run measures
        return f"Run `loopcheck prove {folder.name.replace('_', '-')}` to measure it."
    return file.read_text(encoding="utf-8").strip("\n")

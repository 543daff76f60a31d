"""A rule's page, with what it shows put in: the finding, what was measured, and the difference that mends it.

A page is Markdown and holds none of the three itself: `--8<-- "finding"`, `--8<-- "proof"` and `--8<-- "difference"` on a line of
their own stand for them, the name of a file in the rule's folder for that file.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from pathlib import Path

import click

from loopcheck import measured
from loopcheck.examples import difference
from loopcheck.fix import DISPLAY, SAFE, UNSAFE
from loopcheck.rule import Rule
from loopcheck.show import proof

_INCLUDE = re.compile(r'^[ \t]*--8<--[ \t]+"([^"]+)"[ \t]*$', re.MULTILINE)
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
FIXES = {
    SAFE: "mended by `loopcheck check --fix`",
    UNSAFE: "mended by `loopcheck check --fix --unsafe-fixes`, which changes the result: look at it",
    DISPLAY: "shown, to be done by hand",
}
_TELLS = {
    measured.SILENT: "silent: no error and no warning tells of it",
    measured.WARNS: "a warning tells of it",
    measured.RAISES: "an error tells of it, when it is met",
    "": "not measured",
}
UNMENDED = "none: a person decides"


def text(rule: Rule) -> str:
    """A rule's title, how it is classed and mended, and its page, as a terminal shows it."""
    if rule.page:
        name = click.style(f"{rule.name} ({rule.code})", bold=True)
        return "\n".join([name, rule.title, "", f"Group: {rule.group}", "Seen:  by `loopcheck audit` alone", "", rule.page])
    head = [
        click.style(f"{rule.name} ({rule.code})", bold=True),
        rule.title,
        "",
        f"Group: {rule.group}",
        f"Fix:   {FIXES[rule.fix.applicability] if rule.fix else UNMENDED}",
        f"Run:   {_TELLS[tells(rule)]}",
        f"Proof: run `loopcheck prove {rule.name}` to measure it",
    ]
    return "\n".join(head) + "\n\n" + _FENCED.sub(_indented, _whole(rule, proof.kept)).strip()


def markdown(rule: Rule) -> str:
    """A rule's page as Markdown."""
    return _whole(rule, proof.kept_as_markdown).strip()


def tells(rule: Rule) -> str:
    """How a run tells of a rule's bug; empty where that is not measured."""
    return next((each.tells for each in measured.load(rule.folder).values()), "")


def _indented(block: re.Match[str]) -> str:
    """Code as a terminal shows it; the lines of a difference in its colours."""
    lines = block[2].splitlines()
    if block[1] == "diff":
        lines = [click.style(line, fg=_COLOURS.get(line[:1])) for line in lines]
    return textwrap.indent("\n".join(lines), "    ")


def _whole(rule: Rule, table: Callable[[measured.Measured], str]) -> str:
    """The page with its includes filled in; empty where there is none."""
    file = rule.folder / "page.md"
    if not file.is_file():
        return ""
    return _INCLUDE.sub(lambda include: _included(rule, include[1], table), file.read_text(encoding="utf-8"))


def _included(rule: Rule, name: str, table: Callable[[measured.Measured], str]) -> str:
    if name == "finding":
        return _finding(rule)
    if name == "difference":
        return "\n".join(["```diff", *difference(rule), "```"])
    if name == "proof":
        kept = measured.load(rule.folder)
        untold = f"Run `loopcheck prove {rule.folder.name.replace('_', '-')}` to measure it."
        return "\n\n".join(map(table, kept.values())) or untold
    return (rule.folder / Path(name).name).read_text(encoding="utf-8").strip("\n")


def _finding(rule: Rule) -> str:
    """What loopcheck says of the bad script; the script, where that is not kept."""
    kept = rule.folder / "bad.txt"
    if not kept.is_file():
        return "\n".join(["```python", (rule.folder / "bad.py").read_text(encoding="utf-8").strip(), "```"])
    told = kept.read_text(encoding="utf-8").partition("\n\n")[0].splitlines()
    return "\n".join(["```text", *(line for line in told if not line.startswith("   = help:")), "```"])

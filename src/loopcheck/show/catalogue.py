"""The rules themselves: all in a table, for a person or for a program."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import click

from loopcheck.rule import Rule


def table(rules: Sequence[Rule]) -> str:
    """One line for each rule."""
    width = max((len(rule.name) for rule in rules), default=0)
    return "\n".join(
        f"{click.style(rule.code, bold=True)}  {rule.name:<{width}}  {rule.group:<8}  {_mark(rule):<6}  {rule.title}"
        for rule in rules
    )


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

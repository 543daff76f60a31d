"""What only a run shows: findings for which there is no chain of events, read off its numbers.

An observation is a module of `observations/`: its docstring is the title and the page, `rule` its code, group and sentence, and
`look` finds it in a run. It is found by its name, which is the rule's.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import TypeAlias

from loopcheck.auditing import observations
from loopcheck.record.readings import Place
from loopcheck.record.run import Run
from loopcheck.rule import Confidence, Rule

FEW = 4
"""Names that a sentence lists; of more it says how many there are."""


@dataclass(frozen=True)
class Seen:
    """One observation. words: for the rule's sentence. when: in the run, where that can be said."""

    at: Place
    words: dict[str, str] = field(default_factory=dict)
    when: str = ""
    confidence: Confidence = Confidence.HIGH


Look: TypeAlias = Callable[[Run], Iterator[Seen]]


@cache
def every() -> tuple[tuple[Rule, Look], ...]:
    """All observations, by code."""
    found = []
    for name in sorted(module.name for module in pkgutil.iter_modules(observations.__path__)):
        module = import_module(f"{observations.__name__}.{name}")
        title, _, page = (module.__doc__ or "").strip().partition("\n")
        found.append((replace(module.rule, name=name.replace("_", "-"), title=title, page=page.strip()), module.look))
    return tuple(sorted(found, key=lambda each: each[0].code))


def rules() -> tuple[Rule, ...]:
    """The observations' rules."""
    return tuple(rule for rule, _ in every())


def listed(names: Sequence[str]) -> str:
    """`a`, `b` and 3 more."""
    told = [f"`{name}`" for name in names[:FEW]]
    return ", ".join(told) + (f" and {len(names) - FEW} more" if len(names) > FEW else "")

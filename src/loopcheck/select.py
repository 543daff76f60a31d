"""Which rules to judge: by code `LC101`, the beginning of one `LC1`, name, group, or `ALL`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from loopcheck.misuse import Misuse
from loopcheck.rule import GROUPS, Rule

ALL = "ALL"
DEFAULT = ("bug", "advice")


class UnknownRule(Misuse):
    """A selector that fits no installed rule, with what was probably meant."""

    def __init__(self, message: str, selector: str) -> None:
        super().__init__(message)
        self.selector = selector


def choose(rules: Sequence[Rule], select: Iterable[str] = DEFAULT, ignore: Iterable[str] = ()) -> tuple[Rule, ...]:
    """The rules that a selector of `select` fits and none of `ignore` does.

    Raises UnknownRule for a selector that fits no rule.
    """
    chosen = {rule.code for selector in select for rule in fitting(rules, selector)}
    ignored = {rule.code for selector in ignore for rule in fitting(rules, selector)}
    return tuple(rule for rule in rules if rule.code in chosen - ignored)


def fitting(rules: Sequence[Rule], selector: str) -> list[Rule]:
    """Every rule that one selector means. Raises UnknownRule where there is none."""
    if selector == ALL:
        return list(rules)
    if selector in GROUPS:
        return [rule for rule in rules if rule.group == selector]
    if named := [rule for rule in rules if selector in (rule.name, rule.code)]:
        return named
    if renamed := [rule for rule in rules if selector in rule.formerly]:
        return renamed
    if selector.startswith("L") and (begun := [rule for rule in rules if rule.code.startswith(selector)]):
        return begun
    raise UnknownRule(unknown(selector, rules), selector)


def renamed(rules: Iterable[Rule], words: Iterable[str]) -> dict[str, str]:
    """Of the words that rules were called by those that they no longer are, each with the name of today."""
    spoken = set(words)
    return {word: rule.name for rule in rules for word in rule.formerly if word in spoken}


def unknown(selector: str, rules: Sequence[Rule]) -> str:
    """What to tell a person who named a rule that there is not."""
    known = [ALL, *GROUPS, *(word for rule in rules for word in (rule.name, rule.code))]
    near = [selector.upper()] if selector.upper() in known else difflib.get_close_matches(selector, known, 1)
    hint = f"did you mean {near[0]!r}?" if near else "`loopcheck rules` lists them all"
    return f"there is no rule {selector!r}; {hint}"

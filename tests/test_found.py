"""What `docs/found.md` says: the numbers are those that the proofs measure, the rules are installed, the places are links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from loopcheck import packs, testing
from loopcheck.rule import Rule

FOUND = (Path(__file__).parent.parent / "docs" / "found.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (LC\d+ [\w-]+)\n\n(.+)\n", FOUND, re.MULTILINE))
RULES = {f"{rule.code} {rule.name}": rule for rule in packs.rules()}
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]\d+)?")


def said(number: str, value: float) -> bool:
    """Whether a number is a value, to as many digits as it has."""
    digits = len(number.partition("e")[0].replace(".", "").lstrip("0")) or 1
    return float(number) == float(f"{value:.{digits}g}")


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(rule, id=rule.name, marks=pytest.mark.xdist_group(rule.name))
        for title, rule in RULES.items()
        if title in SECTIONS
    ],
)
def test_numbers_are_measured(rule: Rule, runs: testing.Runs) -> None:
    try:
        rows = testing.measured(rule, runs)
    except testing.Skipped as reason:
        pytest.skip(str(reason))
    told = " ".join(f"{row.quantity} {row.bad_measured} {row.good_measured}" for row in rows)
    values = [float(each) for each in NUMBER.findall(told)]
    sentence = SECTIONS[f"{rule.code} {rule.name}"]
    assert [number for number in NUMBER.findall(sentence) if not any(said(number, each) for each in values)] == [], told


def test_every_section_is_of_a_rule() -> None:
    assert re.findall(r"^## (.+)$", FOUND, re.MULTILINE) == [title for title in RULES if title in SECTIONS]


def test_every_row_is_a_place_in_a_repository() -> None:
    rows: list[str] = re.findall(r"^\| (?!-|repository)(.+) \|$", FOUND, re.MULTILINE)
    for row in rows:
        repository, commit, place = row.split(" | ")
        path, line, link = re.fullmatch(r"\[(.+):(\d+)\]\((.+)\)", place).groups()  # type: ignore[union-attr]
        assert re.fullmatch(rf"https://github\.com/{repository}/blob/{commit}\w+/{re.escape(path)}#L{line}", link), row
    assert "  " not in FOUND
    assert "\n\n\n" not in FOUND

"""Comments that silence a finding, and those that only seem to."""

from __future__ import annotations

import pytest
from samples import BAD, CLIP, CLIP_ROW, GOOD, RULES, SCHEDULE, STEP_ROW, silenced

from loopcheck import packs
from loopcheck.check import check_source
from loopcheck.finding import Report

REASONED = "# loopcheck: ignore[clip-after-step] -- the norm is only logged"


@pytest.fixture(autouse=True)
def _catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "rules", lambda: RULES)


def check(text: str) -> Report:
    return check_source(text.encode(), "train.py", (CLIP, SCHEDULE))


def codes(report: Report) -> list[str]:
    return [finding.rule.code for finding in report.findings] + [problem.code for problem in report.problems]


@pytest.mark.parametrize("row", [STEP_ROW, CLIP_ROW])
def test_a_comment_on_any_line_of_the_witness_silences(row: int) -> None:
    assert codes(check(BAD)) == ["LC101"]
    assert codes(check(silenced(row, REASONED))) == []


def test_a_comment_above_silences() -> None:
    lines = BAD.splitlines(keepends=True)
    assert codes(check("".join([*lines[: CLIP_ROW - 1], f"    {REASONED}\n    # and more\n", *lines[CLIP_ROW - 1 :]]))) == []


def test_a_comment_elsewhere_does_not() -> None:
    assert codes(check(silenced(1, REASONED))) == ["LC101", "unused"]
    assert codes(check(silenced(CLIP_ROW - 2, REASONED))) == ["LC101", "unused"]


@pytest.mark.parametrize(
    "comment",
    [
        "# loopcheck: ignore[LC101] -- by code",
        "# loopcheck:ignore[ scheduler-first , clip-after-step ]--two rules",
        "# type: ignore  # loopcheck: ignore[clip-after-step] -- after another comment",
    ],
)
def test_spellings(comment: str) -> None:
    assert codes(check(silenced(CLIP_ROW, comment))) == []


@pytest.mark.parametrize(
    ("comment", "told"),
    [
        ("# loopcheck: ignore[clip-after-step]", "gives no reason"),
        ("# loopcheck: ignore[clip-after-step] --  ", "gives no reason"),
        ("# loopcheck: ignore[clip-after-stop] -- a slip", "did you mean 'clip-after-step'?"),
        ("# loopcheck: ignore[] -- what?", "names no rule"),
        ("# loopcheck: ignore -- all of it", "write `# loopcheck: ignore[rule-name] -- the reason`"),
        ("# loopcheck: disable=clip-after-step", "write `# loopcheck: ignore[rule-name] -- the reason`"),
    ],
)
def test_a_comment_that_silences_nothing_is_reported(comment: str, told: str) -> None:
    report = check(silenced(CLIP_ROW, comment))
    assert codes(report) == ["LC101", "suppression"]
    (problem,) = report.problems
    assert told in problem.message
    assert (problem.span.row, problem.span.column) == (CLIP_ROW, len(BAD.splitlines()[CLIP_ROW - 1]) + 3)


def test_another_rule_s_comment_does_not_silence() -> None:
    assert codes(check(silenced(CLIP_ROW, "# loopcheck: ignore[scheduler-first] -- not this one"))) == ["LC101", "unused"]


def test_a_string_is_no_comment() -> None:
    assert codes(check(silenced(CLIP_ROW, f'; "{REASONED}"'))) == ["LC101"]


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_ends(newline: str) -> None:
    assert codes(check(silenced(CLIP_ROW, REASONED).replace("\n", newline))) == []


def test_a_comment_that_is_not_needed_is_told() -> None:
    (problem,) = check(GOOD + f"{REASONED}\n").problems
    assert (problem.code, problem.span.row) == ("unused", GOOD.count("\n") + 1)
    assert problem.message == "nothing is found that this comment could silence: remove it"


def test_of_a_rule_that_is_not_judged_nobody_knows_whether_a_comment_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (GOOD + f"{REASONED}\n").encode()
    assert check_source(text, "train.py", (SCHEDULE,)).problems == ()
    both = text.replace(b"[clip-after-step]", b"[clip-after-step, scheduler-first]")
    assert check_source(both, "train.py", (SCHEDULE,)).problems == ()


def test_nor_of_a_file_that_was_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loopcheck.paths.MOST_PARTIALS", 0)
    report = check(silenced(CLIP_ROW, REASONED))
    assert report.undecided
    assert codes(report) == []

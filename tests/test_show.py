"""What a person, GitHub and other tools see of a report."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

import click
import pytest
from samples import CLIP, SCHEDULE

from loopcheck.finding import Finding, Note, Problem, Repair, Report, Span, TextEdit
from loopcheck.rule import Confidence
from loopcheck.show import formats, text
from loopcheck.show.formats import full, github
from loopcheck.show.formats import json as as_json
from loopcheck.show.view import Row, View

STEP, CLIPPED = "optimizer.step()", "clip_grad_norm_(model.parameters(), 1.0)"
MOVE = Repair("safe", "move the clip before the step", (TextEdit(Span("a.py", 1, 1, 1, 1), "clip()\n"),))


def span_of(code: str, lines: Sequence[str], path: str = "a.py") -> Span:
    row = next(row for row, line in enumerate(lines, 1) if code in line)
    column = lines[row - 1].index(code) + 1
    return Span(path, row, column, row, column + len(code))


def finding(lines: Sequence[str], repair: Repair | None = MOVE, path: str = "a.py") -> Finding:
    return Finding(
        rule=CLIP,
        message="the clip limits nothing",
        confidence=Confidence.HIGH,
        primary=span_of(CLIPPED, lines, path),
        related=(Note(span_of(STEP, lines, path), "the step"),),
        repair=repair,
        because="all is in sight",
        witness=(Note(span_of(STEP, lines, path), "the step"), Note(span_of(CLIPPED, lines, path), "the clip")),
        fingerprint="f1",
    )


def no_row(span: Span) -> int:
    raise AssertionError("a script's rows are those of its file")


def as_text(show: formats.Show, *reports: Report, row: Row = no_row) -> str:
    return "\n".join(show(View(reports, lambda span: [], row)))


def drawn(found: Finding, lines: Sequence[str]) -> str:
    report = Report("a.py", (found,))
    return click.unstyle(next(full.show(View([report], lambda span: lines, no_row))))


def test_a_finding_in_full() -> None:
    lines = ["for x, y in loader:", "    loss.backward()", f"    {STEP}", f"    {CLIPPED}  # too late", "    log(loss)"]
    assert (
        drawn(finding(lines), lines)
        == """\
bug[LC101] clip-after-step: the clip limits nothing
 --> a.py:4:5
  |
2 |     loss.backward()
3 |     optimizer.step()
  |     ---------------- the step
4 |     clip_grad_norm_(model.parameters(), 1.0)  # too late
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
5 |     log(loss)
  |
  = why: Clipping after the step limits nothing.
  = confidence: high, for all is in sight
  = fix: move the clip before the step (safe: run with --fix)
  = help: loopcheck explain clip-after-step
"""
    )


@pytest.mark.parametrize(
    ("confidence", "told"),
    [(each, [f"  = confidence: {each}, for all is in sight"]) for each in Confidence],
)
def test_it_is_told_how_sure_it_is_and_why(confidence: Confidence, told: list[str]) -> None:
    lines = [STEP, CLIPPED]
    shown = drawn(replace(finding(lines), confidence=confidence), lines).splitlines()
    assert [line for line in shown if "confidence" in line] == told


def test_what_is_far_apart_is_cut() -> None:
    lines = [STEP, *(f"line({number})" for number in range(2, 12)), CLIPPED]
    assert drawn(finding(lines, repair=None), lines).splitlines()[2:10] == [
        "   |",
        " 1 | optimizer.step()",
        "   | ---------------- the step",
        " 2 | line(2)",
        "...",
        "11 | line(11)",
        "12 | clip_grad_norm_(model.parameters(), 1.0)",
        "   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
    ]


def test_two_files_are_two_frames() -> None:
    here, there = [CLIPPED], [STEP]
    found = replace(
        finding([STEP, CLIPPED]), primary=span_of(CLIPPED, here), related=(Note(span_of(STEP, there, "b.py"), "the step"),)
    )

    def both(span: Span) -> Sequence[str]:
        return there if span.path == "b.py" else here

    frames = click.unstyle(next(full.show(View([Report("a.py", (found,))], both, no_row))))
    assert " --> a.py:1:1" in frames
    assert " ::: b.py:1:1" in frames
    assert "  | ---------------- the step" in frames


def test_one_place_reached_twice_is_marked_once() -> None:
    lines = [CLIPPED]
    found = replace(
        finding([STEP, CLIPPED]), primary=span_of(CLIPPED, lines), related=(Note(span_of(CLIPPED, lines), "a pass before"),)
    )
    assert f"  | {'^' * len(CLIPPED)} a pass before" in drawn(found, lines)
    assert "-" * 5 not in drawn(found, lines)


def columns(line: str) -> int:
    return sum(0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)


@pytest.mark.parametrize("before", ["\t", "\t\tif x: ", 's = "学習ループ"; ', 's = "e\u0301"; ', 's = "😀"; ', "\f"])
def test_carets_stand_under_the_code(before: str) -> None:
    lines = [STEP, before + CLIPPED]
    shown = drawn(finding(lines), lines).splitlines()
    code = next(line for line in shown if CLIPPED in line)
    carets = next(line for line in shown if "^" in line)
    assert columns(code[: code.index(CLIPPED)]) == carets.index("^")
    assert carets.count("^") == len(CLIPPED)


@pytest.mark.parametrize("before", [20, 150, 1000])
def test_a_long_line_is_cut_around_the_mark(before: int) -> None:
    lines = [STEP, "a" * before + "; " + CLIPPED + "; " + "b" * 500]
    shown = drawn(finding(lines), lines).splitlines()
    code, carets = (next(line for line in shown if sign in line) for sign in (CLIPPED, "^"))
    assert max(map(len, shown)) < 130
    assert code.endswith("b…")
    assert code[carets.index("^") :].startswith(CLIPPED)


def test_a_tall_mark_is_underlined_on_its_first_row() -> None:
    lines = [STEP, "clip(", *(f"    {number}," for number in range(20)), ")"]
    found = replace(finding([STEP, CLIPPED]), primary=Span("a.py", 2, 1, len(lines), 2), related=())
    assert drawn(found, lines).splitlines()[2:7] == [
        "  |",
        "1 | optimizer.step()",
        "2 | clip(",
        "  | ^^^^^",
        "3 |     0,",
    ]


def test_code_cannot_command_the_terminal() -> None:
    lines = [STEP, f'"\x1b[31m"; {CLIPPED}']
    assert "\x1b" not in drawn(finding(lines), lines)


def test_colours_are_for_terminals() -> None:
    lines = [STEP, CLIPPED]
    assert "\x1b[31m" in next(full.show(View([Report("a.py", (finding(lines),))], lambda span: lines, no_row)))


BROKEN = Problem("syntax", "'(' was never closed", Span("b.py", 3, 7, 3, 7))
ADVICE = replace(finding([STEP, CLIPPED]), rule=SCHEDULE)


@pytest.mark.parametrize(
    ("reports", "told"),
    [
        ([Report("a.py")], "Found nothing in 1 file (1 checked)."),
        (
            [Report("a.py"), Report("b.py", skipped="no training code")],
            "Found nothing in 2 files (1 checked, 1 without training code).",
        ),
        (
            [Report("a.py", (finding([STEP, CLIPPED]), ADVICE)), Report("b.py", problems=(BROKEN,)), Report("c.py")],
            "Found 1 error, 1 bug and 1 piece of advice in 2 of 3 files (2 checked, 1 could not be analysed). "
            "2 fixable with --fix.",
        ),
        (
            [Report("a.py", (replace(ADVICE, repair=replace(MOVE, applicability="unsafe")), finding([STEP, CLIPPED])))],
            "Found 1 bug and 1 piece of advice in 1 of 1 file (1 checked). 1 fixable with --fix, 1 more with --unsafe-fixes.",
        ),
        (
            [Report("a.py", (replace(ADVICE, repair=replace(MOVE, applicability="display")),))],
            "Found 1 piece of advice in 1 of 1 file (1 checked).",
        ),
    ],
)
def test_summary(reports: list[Report], told: str) -> None:
    assert text.summary(reports) == told


def test_json() -> None:
    lines = [STEP, CLIPPED]
    broken = Report("b.py", problems=(BROKEN,))
    found, failed = json.loads(as_text(as_json.show, Report("a.py", (finding(lines),)), broken))
    assert found == {
        "code": "LC101",
        "name": "clip-after-step",
        "severity": "bug",
        "confidence": "high",
        "confidence_reason": "all is in sight",
        "message": "the clip limits nothing",
        "summary": "Clipping after the step limits nothing.",
        "filename": "a.py",
        "location": {"row": 2, "column": 1},
        "end_location": {"row": 2, "column": 41},
        "cell": None,
        "related": [
            {
                "message": "the step",
                "filename": "a.py",
                "location": {"row": 1, "column": 1},
                "end_location": {"row": 1, "column": 17},
                "cell": None,
            }
        ],
        "witness": [
            {
                "message": word,
                "filename": "a.py",
                "location": {"row": row, "column": 1},
                "end_location": {"row": row, "column": end},
                "cell": None,
            }
            for word, row, end in (("the step", 1, 17), ("the clip", 2, 41))
        ],
        "elsewhere": None,
        "fingerprint": "f1",
        "fix": {
            "applicability": "safe",
            "message": "move the clip before the step",
            "edits": [
                {
                    "content": "clip()\n",
                    "filename": "a.py",
                    "location": {"row": 1, "column": 1},
                    "end_location": {"row": 1, "column": 1},
                    "cell": None,
                }
            ],
        },
        "no_fix_reason": None,
        "run": None,
        "noqa_row": 2,
        "url": None,
    }
    assert (failed["code"], failed["name"], failed["severity"], failed["fix"]) == ("LC000", "syntax-error", "error", None)
    assert json.loads(as_text(as_json.show)) == []


def test_github() -> None:
    lines = [STEP, CLIPPED]
    found = replace(finding(lines, path="a,b:c.py"), message="50% of\nthe norm: lost, really")
    assert as_text(github.show, Report("a.py", (found,))) == (
        "::error file=a%2Cb%3Ac.py,line=2,col=1,endLine=2,endColumn=41,title=loopcheck LC101 clip-after-step"
        "::50%25 of%0Athe norm: lost, really%0Athe step at a,b:c.py:1:1%0Awhy: Clipping after the step limits nothing."
        "%0Aconfidence: high, for all is in sight%0Afix: move the clip before the step (safe: run with --fix)"
    )
    assert as_text(github.show, Report("a.py", (ADVICE,))).startswith("::warning ")


def test_github_shows_a_cell_on_the_row_of_the_file() -> None:
    here = replace(finding([STEP, CLIPPED]), primary=Span("a.ipynb", 2, 1, 2, 9, cell=3))
    told = as_text(github.show, Report("a.ipynb", (here,)), row=lambda span: span.cell * 100 + span.row)
    assert told.startswith("::error file=a.ipynb,line=302,title=loopcheck LC101 clip-after-step (cell 3%2C row 2)::")


def test_cells_come_one_after_the_other() -> None:
    cells = [
        replace(finding([STEP, CLIPPED]), primary=Span("a.ipynb", row, 1, row, 9, cell=cell)) for cell, row in ((10, 1), (2, 5))
    ]
    told = json.loads(as_text(as_json.show, Report("a.ipynb", tuple(cells))))
    assert [(each["cell"], each["location"]["row"]) for each in told] == [(2, 5), (10, 1)]

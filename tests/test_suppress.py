"""Comments that silence a finding, and those that only seem to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from samples import BAD, CLIP, CLIP_ROW, GOOD, RULES, SCHEDULE, STEP_ROW, silenced

from loopcheck import packs, plain
from loopcheck.check import check_source
from loopcheck.finding import Report
from loopcheck.job import Job, work
from loopcheck.suppress import ignores
from loopcheck.write.apply import mend

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
    assert codes(check(silenced(CLIP_ROW - 4, REASONED))) == ["LC101", "unused"]


@pytest.mark.parametrize(
    "comment",
    [
        "# loopcheck: ignore[LC101] -- by code",
        "# loopcheck:ignore[ clip-after-step , LC101 ]--twice",
        "# loopcheck: ignore[some-speed, LC101] -- of a rule that is not judged nothing is known",
        "# loopcheck: ignore-file[LC101] -- wherever it is",
        "# noqa: LC101",
        "# NOQA:F401, lc101",
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
        ("# loopcheck: ignore[clip-after-step] -- TODO", "gives `TODO`, which is no reason"),
        ("# loopcheck: ignore[clip-after-step] -- <explanation>", "which is no reason"),
        ("# loopcheck: ignore[clip-after-step] -- false positive.", "which is no reason"),
        ("# loopcheck: ignore-block[clip-after-step] -- nothing opens here", "no block begins here"),
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


def test_a_bare_noqa_and_that_of_others_silence_nothing() -> None:
    assert codes(check(silenced(CLIP_ROW, "# noqa"))) == ["LC101"]
    assert codes(check(silenced(CLIP_ROW, "# noqa: F401"))) == ["LC101"]
    assert codes(check(silenced(1, "# noqa: LC101"))) == ["LC101"]


def test_beside_what_others_silence_a_rule_may_be_named() -> None:
    named = f'text = "# noqa: E501"  # noqa: {CLIP.code}\n'
    assert [{*each.names} for each in ignores(named, "x.py", RULES, lambda span: span)[0]] == [{CLIP.code}]
    assert ignores("import os  # noqa: F401\n", "x.py", RULES, lambda span: span) == ([], [])


def test_a_comment_is_about_the_whole_statement() -> None:
    tall = BAD.replace("    nn.utils", f"    norms.append(  {REASONED}\n        nn.utils").replace("1.0)", "1.0)\n    )")
    assert codes(check(tall)) == []
    assert codes(check(tall.replace(f"  {REASONED}", "").replace("    )\n", f"    )  {REASONED}\n"))) == []


LOOP_ROW = 6
BLOCK = "# loopcheck: ignore-block[LC101] -- the whole loop is a demonstration"


def test_a_block_is_silenced_from_its_head() -> None:
    assert codes(check(silenced(LOOP_ROW, BLOCK))) == []
    assert codes(check(silenced(LOOP_ROW, BLOCK.replace("ignore-block", "ignore")))) == ["LC101", "unused"]


def test_another_block_is_not() -> None:
    assert codes(check(f"if torch:  {BLOCK}\n    pass\n{BAD}")) == ["LC101", "unused"]


def test_what_is_silenced_is_kept_with_the_reason() -> None:
    report = check(silenced(STEP_ROW, REASONED))
    (kept,) = report.silenced
    assert (kept.finding.rule, kept.reason) == (CLIP, "the norm is only logged")
    assert kept.by
    assert (kept.by.row, kept.by.column) == (STEP_ROW, len(BAD.splitlines()[STEP_ROW - 1]) + 3)
    assert codes(report.aloud) == ["LC101"]


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("import os  # loopcheck: ignore[LC101] -- it was once", "import os\n"),
        ("# loopcheck: ignore[LC101] -- it was once", ""),
        ("import os  # noqa: F401  # loopcheck: ignore[LC101] -- it was", "import os  # noqa: F401\n"),
        ("import os  # loopcheck: ignore[LC101] -- it was  # noqa: F401", "import os  # noqa: F401\n"),
        ("import os  # loopcheck: ignore[LC101] -- it was, see #12", "import os\n"),
        ("import os  # loopcheck: ignore[LC101, LP101] -- it was", "import os  # loopcheck: ignore[LP101] -- it was\n"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_silences_nothing_is_removed(line: str, left: str, newline: str) -> None:
    before = (GOOD.replace("import torch\n", f"import torch\n{line}\n", 1)).replace("\n", newline).encode()
    after = GOOD.replace("import torch\n", f"import torch\n{left}", 1).replace("\n", newline).encode()
    report = check_source(before, "train.py", (CLIP, SCHEDULE))
    assert codes(report) == ["unused"]
    mended = mend(before, "train.py", (CLIP, SCHEDULE))
    assert mended.data == after
    assert codes(mended.report) == []


def test_what_silences_something_stays() -> None:
    before = silenced(CLIP_ROW, REASONED).encode()
    assert mend(before, "train.py", (CLIP, SCHEDULE)).data == before


def test_a_comment_in_the_middle_of_a_story_is_in_use(tmp_path: Path) -> None:
    """It silences what another file tells of, and alone its own file must not call it unused."""
    helper = f"def advance(optimizer):\n    optimizer.step()  {REASONED}\n"
    (tmp_path / "helper.py").write_text(helper)
    (tmp_path / "train.py").write_text("from helper import advance\n" + BAD.replace("optimizer.step()", "advance(optimizer)"))
    (tmp_path / "pyproject.toml").touch()
    paths = [tmp_path / "helper.py", tmp_path / "train.py"]
    for asked in (paths, paths[:1], paths[1:]):
        assert [codes(outcome.report) for outcome in work(asked, Job((CLIP, SCHEDULE)))] == [[]] * len(asked)


def test_a_comment_that_is_not_needed_is_told() -> None:
    (problem,) = check(GOOD + f"{REASONED}\n").problems
    assert (problem.code, problem.span.row) == ("unused", GOOD.count("\n") + 1)
    assert problem.message == "nothing here is silenced by `clip-after-step`"


def test_of_a_rule_that_is_not_judged_nobody_knows_whether_a_comment_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (GOOD + f"{REASONED}\n").encode()
    assert check_source(text, "train.py", (SCHEDULE,)).problems == ()
    both = text.replace(b"[clip-after-step]", b"[clip-after-step, scheduler-first]")
    (problem,) = check_source(both, "train.py", (SCHEDULE,)).problems
    assert problem.message == "nothing here is silenced by `scheduler-first`"


def test_nor_of_a_file_that_was_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loopcheck.paths.MOST_PARTIALS", 0)
    report = check(silenced(CLIP_ROW, REASONED))
    assert report.undecided
    assert codes(report) == []


@pytest.mark.parametrize("row", [1, CLIP_ROW])
def test_a_report_outlives_the_run(row: int) -> None:
    """With what it keeps to itself, and with what is not needed."""
    report = check(silenced(row, REASONED))
    assert plain.unpack(json.loads(json.dumps(plain.pack(report))), RULES) == report
    assert report.silenced or report.problems[0].repair

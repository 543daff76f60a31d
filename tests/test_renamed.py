"""Rules that had other names: who says those means them still, is told once, and can have the new name written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from samples import BAD, CLIP, CLIP_ROW, SCHEDULE, silenced

from loopcheck import packs, select
from loopcheck.check import check_source
from loopcheck.cli import program
from loopcheck.finding import Report
from loopcheck.write.apply import mend

RENAMED = replace(CLIP, formerly=("late-clip", "LC199"))
RULES = (RENAMED, SCHEDULE)


@pytest.fixture(autouse=True)
def _catalogue(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(packs, "rules", lambda: RULES)
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    Path("train.py").write_text(BAD)
    return CliRunner().invoke(program, ["check", "train.py", "--jobs", "1", "--output-format", "concise", *arguments])


@pytest.mark.parametrize("name", ["late-clip", "LC199"])
def test_a_rule_is_selected_and_left_out_by_what_it_was_called(name: str) -> None:
    assert select.choose(RULES, [name]) == (RENAMED,)
    assert select.choose(RULES, ignore=[name]) == (SCHEDULE,)
    with pytest.raises(select.UnknownRule):
        select.choose((CLIP, SCHEDULE), [name])


def test_it_is_told_once() -> None:
    assert "called" not in run().output
    Path("loopcheck.toml").write_text(
        'select = ["late-clip", "scheduler-first"]\n[per-file-ignores]\n"other.py" = ["late-clip"]\n'
    )
    told = run("--ignore", "LC199")
    assert (
        told.stderr == "the rule 'late-clip' is called 'clip-after-step' now\nthe rule 'LC199' is called 'clip-after-step' now\n"
    )
    assert (told.exit_code, "LC101" in told.stdout) == (0, False)
    assert "LC101" in run().stdout


def codes(report: Report) -> list[str]:
    return [finding.rule.code for finding in report.findings] + [problem.code for problem in report.problems]


def test_a_comment_silences_by_what_a_rule_was_called_and_gets_the_new_name() -> None:
    text = silenced(CLIP_ROW, "# loopcheck: ignore[late-clip] -- the norm is only logged")
    report = check_source(text.encode(), "train.py", RULES)
    assert codes(report) == ["renamed"]
    assert report.problems[0].message == "`late-clip` is called `clip-after-step` now"
    assert report.problems[0].remark
    mended = mend(text.encode(), "train.py", RULES)
    assert mended.data.decode() == text.replace("late-clip", "clip-after-step")
    assert codes(mended.report) == []
    other = silenced(CLIP_ROW, "# noqa: LC199")
    assert codes(check_source(other.encode(), "train.py", RULES)) == []


def test_a_comment_that_is_not_needed_is_told_as_that_alone() -> None:
    text = BAD.replace("import torch\n", "import torch  # loopcheck: ignore[late-clip] -- for no reason at all\n", 1)
    assert codes(check_source(text.encode(), "train.py", RULES)) == ["LC101", "unused"]


def test_no_rule_takes_what_another_was_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(packs, "entry_points", lambda group: [SimpleNamespace(value="mine")])
    monkeypatch.setattr(packs, "_pack", lambda package: [RENAMED, replace(SCHEDULE, code="LC199")])
    with pytest.raises(packs.PackError, match="both define LC199"):
        packs.rules.__wrapped__()

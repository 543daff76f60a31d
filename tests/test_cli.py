"""The command line: what it takes, what it says, and exit codes that do not lie."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import loopcheck_rules
import pytest
from click.testing import CliRunner, Result
from samples import BAD, CLIP_ROW, GOOD, PLAIN, RULES, heeds_interrupts, silenced

from loopcheck import check, job, measured, packs, paths
from loopcheck.cli import colours, program
from loopcheck.measured import Row
from loopcheck.misuse import Misuse
from loopcheck.rule import Confidence, Rule

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Call the command line in an empty folder, with the tests' catalogue."""
    monkeypatch.setattr(packs, "rules", lambda: RULES)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, input: str | None = None) -> Result:
        return CliRunner().invoke(program, arguments, prog_name="loopcheck", catch_exceptions=False, input=input)

    return call


def write(files: dict[str, str]) -> None:
    """Files under the current folder."""
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


def found(result: Result) -> list[tuple[str, str]]:
    return [(entry["filename"], entry["code"]) for entry in json.loads(result.stdout)]


# --- exit codes


@pytest.mark.parametrize(
    ("files", "status"),
    [
        ({"train.py": GOOD}, 0),
        ({"train.py": PLAIN}, 0),
        ({"train.py": BAD}, 1),
        ({"train.py": BAD, "broken.py": "optim = (\n"}, 3),
        ({"broken.py": "optim = (\n"}, 3),
    ],
)
def test_exit_code(run: Run, files: dict[str, str], status: int) -> None:
    write(files)
    assert run(".").exit_code == status


@pytest.mark.parametrize(("files", "status"), [({"train.py": BAD}, 0), ({"train.py": BAD, "broken.py": "optim = (\n"}, 3)])
def test_exit_zero_hides_findings_but_no_failure(run: Run, files: dict[str, str], status: int) -> None:
    write(files)
    assert run("--exit-zero", ".").exit_code == status
    assert run("--exit-zero", "missing.py").exit_code == 2


@pytest.mark.parametrize(
    ("text", "options", "status"),
    [
        ("ADVISED", (), 0),
        ("ADVISED", ("--fail-on", "bug"), 0),
        ("ADVISED", ("--fail-on", "advice"), 1),
        ("BAD", (), 1),
        ("BAD", ("--fail-on", "advice"), 1),
        ("GOOD", ("--fail-on", "advice"), 0),
    ],
)
def test_what_fails_a_run(run: Run, text: str, options: tuple[str, ...], status: int) -> None:
    write({"train.py": {"ADVISED": LATE.replace(BAD.splitlines()[-1], ""), "BAD": BAD, "GOOD": GOOD}[text]})
    assert run("train.py", *options).exit_code == status


def test_what_is_found_is_counted(run: Run) -> None:
    write({"a.py": LATE, "b.py": BAD, "c.py": "optim = (\n"})
    told = run(".", "--statistics").stdout
    assert told.splitlines() == [
        "2  LC101  clip-after-step (bug)",
        "1  LC000  syntax-error (error)",
        "1  LC501  scheduler-first (advice)",
        "",
        "Found 1 error, 2 bugs and 1 piece of advice in 3 of 3 files (2 checked, 1 could not be analysed). 2 fixable with --fix.",
    ]


def test_by_default_the_files_here_are_judged(run: Run) -> None:
    write({"code/train.py": BAD})
    assert found(run("check", "--output-format", "json")) == [("code/train.py", "LC101")]


def test_what_could_not_be_decided_is_told_and_counts_where_it_shall(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"train.py": BAD})
    monkeypatch.setattr(paths, "MOST_PARTIALS", 0)
    assert "1 not decided in full" in run("train.py").stdout
    assert "not decided" not in run("--select", "scheduler-first", "train.py").stdout
    assert [run(*options, "train.py").exit_code for options in ((), ("--fail-on-undecided",))] == [0, 3]


# --- which files, which settings


@pytest.mark.parametrize(
    ("settings", "arguments", "judged"),
    [
        ("", ("code", "old/a.py"), ["code/a.py", "code/b.py", "old/a.py"]),
        ("exclude = ['code/b.py']", ("code",), ["code/a.py"]),
        ("exclude = ['old/']\nextend-exclude = ['code/b.py']", (".",), ["code/a.py"]),
        ("exclude = ['code/b.py']", ("code", "--exclude", "code/a.py"), ["code/b.py"]),
        ("exclude = ['code/b.py']", ("code", "old", "--extend-exclude", "code/a.py"), ["old/a.py"]),
        ("exclude = ['code/b.py']", ("code/b.py",), ["code/b.py"]),
        ("exclude = ['code/b.py']", ("code/b.py", "old", "--force-exclude"), ["old/a.py"]),
        ("exclude = ['code/b.py']\nforce-exclude = true", ("code/b.py",), []),
        ("", ("code/b.py", "--exclude", "code/*", "--force-exclude"), []),
        ("exclude = ['code/']", ("code", "--isolated"), ["code/a.py", "code/b.py"]),
        ("exclude = ['code/']", (".", "--config", "other.toml"), ["code/a.py", "code/b.py"]),
        ("per-file-ignores = { 'old/*' = ['bug'], 'b.py' = ['clip-after-step', 'LC5'] }", (".",), ["code/a.py"]),
    ],
)
def test_what_is_left_out(run: Run, settings: str, arguments: tuple[str, ...], judged: list[str]) -> None:
    write({"code/a.py": BAD, "code/b.py": BAD, "old/a.py": BAD, "loopcheck.toml": settings, "other.toml": "exclude = ['old/']"})
    result = run(*arguments, "--output-format", "json")
    assert [name for name, _ in found(result)] == judged
    assert result.exit_code == (1 if judged else 0)


def test_what_a_file_is_spared_is_not_mended(run: Run) -> None:
    write({"a.py": BAD, "b.py": BAD, "loopcheck.toml": "per-file-ignores = { 'a.py' = ['LC1'] }"})
    assert run(".", "--fix").exit_code == 0
    assert (Path("a.py").read_text(), Path("b.py").read_text()) == (BAD, GOOD)
    write({"loopcheck.toml": "per-file-ignores = { 'a.py' = ['LC999'] }"})
    assert "loopcheck.toml:1:1: there is no rule 'LC999'" in run(".").stderr


def test_each_file_has_the_settings_of_its_own_project(run: Run) -> None:
    write(
        {
            "a/train.py": LATE,
            "a/old/train.py": LATE,
            "a/pyproject.toml": "[tool.loopcheck]\nselect = ['LC101']\nexclude = ['old/']\n",
            "b/train.py": LATE,
            "b/loopcheck.toml": "select = ['LC501']\nper-file-ignores = { '*.ipynb' = ['ALL'] }\n",
            "c/train.py": LATE,
            "loopcheck.toml": "ignore = ['advice']",
        }
    )
    told = [("a/train.py", "LC101"), ("b/train.py", "LC501"), ("c/train.py", "LC101")]
    assert found(run("--output-format", "json", ".")) == told
    assert found(run("--output-format", "json", "c/train.py", "b", "a/train.py")) == told
    assert [code for _, code in found(run("--output-format", "json", "--isolated", "b"))] == ["LC501", "LC101"]
    assert [code for _, code in found(run("--output-format", "json", "--select", "LC101", "b"))] == ["LC101"]
    assert run("--fix", ".").exit_code == 0
    assert Path("a/train.py").read_text() != LATE
    assert Path("b/train.py").read_text() == LATE


def test_the_settings_are_shown(run: Run) -> None:
    write({"train.py": BAD, "loopcheck.toml": "select = ['LC1']"})
    result = run("--show-settings", "train.py")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1].startswith('select = ["LC1"]  # ')
    over = run("--show-settings", "--config", "select = ['LC2']", "train.py")
    assert over.stdout.splitlines()[1] == 'select = ["LC2"]  # --config'
    assert run("--show-settings", "--isolated", ".").stdout.startswith("# no file says anything: what holds by default\n")


def test_the_files_are_shown(run: Run) -> None:
    """Those that would be judged, and none that settings leave out."""
    Path("wandb").mkdir()
    for name in ("train.py", "wandb/train.py"):
        Path(name).write_text("", encoding="utf-8")
    result = run("--show-files", ".")
    assert (result.exit_code, result.stdout) == (0, "train.py\n")


# --- standard input


def test_standard_input_is_judged(run: Run) -> None:
    result = run("-", input=BAD)
    assert result.exit_code == 1
    assert f" --> -:{CLIP_ROW}:5\n" in result.stdout
    assert "nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n" in result.stdout


def test_standard_input_is_mended_to_standard_output(run: Run) -> None:
    result = run("-", "--fix", input=BAD)
    assert (result.exit_code, result.stdout) == (0, GOOD)
    assert "-: mended: clip-after-step" in result.stderr
    assert run("-", "--fix", input=PLAIN).stdout == PLAIN
    broken = run("-", "--fix", input="optim = (\n")
    assert (broken.exit_code, broken.stdout) == (3, "optim = (\n")


def test_a_name_for_standard_input_says_what_it_is_and_where(run: Run) -> None:
    write({"code/train.py": "x = 1\n", "code/helpers.py": HELPER})
    result = run("-", "--stdin-filename", "code/train.py", "--output-format", "json", input=CALLER)
    assert found(result) == [("code/train.py", "LC101")]
    assert Path("code/train.py").read_text() == "x = 1\n"
    assert found(run("-", "--output-format", "json", input=CALLER)) == []
    notebook = json.dumps({"cells": [{"cell_type": "code", "source": BAD}]})
    assert "a.ipynb:cell 1:11:5" in run("-", "--stdin-filename", "a.ipynb", input=notebook).stdout
    assert run("-", "--stdin-filename", "code/train.py", "--diff", input=BAD).stdout.startswith("--- code/train.py\n")


HELPER = "def advance(optimizer):\n    optimizer.step()\n"
CALLER = "from helpers import advance\n" + BAD.replace("optimizer.step()", "advance(optimizer)")


def test_a_broken_file_does_not_take_the_others_along(run: Run) -> None:
    write({"train.py": BAD, "broken.py": "optim = (\n"})
    result = run("--output-format", "json", ".")
    assert found(result) == [("broken.py", "LC000"), ("train.py", "LC101")]
    broken = json.loads(result.stdout)[0]
    assert (broken["name"], broken["severity"], broken["location"]) == ("syntax-error", "error", {"row": 1, "column": 9})


def test_an_error_of_ours_is_told_and_the_other_files_judged(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"a.py": BAD, "b.py": BAD})
    judged = check.check_file

    def fail_on_a(path: Path, *others: object) -> object:
        if path.name == "a.py":
            raise ZeroDivisionError("oh")
        return judged(path, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(job, "check_file", fail_on_a)
    result = run(".", "--output-format", "json")
    assert result.exit_code == 3
    assert found(result) == [("a.py", "LC000"), ("b.py", "LC101")]
    told = json.loads(result.stdout)[0]
    assert told["name"] == "internal-error"
    assert "ZeroDivisionError: oh" in told["message"]
    assert "please report it" in told["message"]
    assert "Traceback" not in result.output
    assert "Traceback" in run("-v", ".").stderr


DETACHED = BAD.replace("loss.backward()", "loss.detach().requires_grad_().backward()").replace(BAD.splitlines()[-1], "")


def test_mending_alone_tells_of_nothing_that_is_left(run: Run) -> None:
    write({"a.py": BAD, "b.py": DETACHED})
    result = run("--fix-only", ".")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "a.py: mended: clip-after-step" in result.stderr
    assert run("--fix-only", "--exit-non-zero-on-fix", ".").exit_code == 0, "nothing is left to mend"
    write({"c.py": "optim = (\n"})
    failed = run("--fix-only", ".")
    assert (failed.exit_code, failed.stdout, "error[LC000] syntax-error" in failed.stderr) == (3, "", True)
    Path("c.py").unlink()
    write({"a.py": BAD})
    assert run("--fix", "--exit-non-zero-on-fix", "a.py").exit_code == 1


def test_what_was_mended_is_counted(run: Run) -> None:
    write({"a.py": BAD, "b.py": BAD})
    told = run("--fix", "--show-fixes", ".").stderr
    assert "Mended 2 in 2 files.\n  a.py: 1 x LC101 clip-after-step\n  b.py: 1 x LC101 clip-after-step\n" in told


@pytest.mark.parametrize(
    ("says", "arguments", "mended"),
    [
        ("", (), True),
        ("unfixable = ['clip-after-step']", (), False),
        ("unfixable = ['LC1']", ("--unsafe-fixes",), False),
        ("fixable = ['LC5']", (), False),
        ("fixable = ['bug']\nunfixable = ['LC5']", (), True),
        ("extend-unsafe-fixes = ['LC101']", (), False),
        ("extend-unsafe-fixes = ['LC101']", ("--unsafe-fixes",), True),
        ("extend-safe-fixes = ['LC101']\nextend-unsafe-fixes = ['LC101']", (), False),
    ],
)
def test_settings_say_what_may_be_mended(run: Run, says: str, arguments: tuple[str, ...], mended: bool) -> None:
    write({"a.py": BAD, "loopcheck.toml": says})
    run("--fix", *arguments, "a.py")
    assert (Path("a.py").read_text(encoding="utf-8") != BAD) == mended


def test_an_unsafe_fix_may_be_taken_for_a_safe_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    first = RULES[0]
    assert first.fix
    rules = (replace(first, fix=first.fix.unsafe), *RULES[1:])
    monkeypatch.setattr(packs, "rules", lambda: rules)
    write({"a.py": BAD, "loopcheck.toml": ""})
    run("--fix", "--no-cache", "a.py")
    assert Path("a.py").read_text(encoding="utf-8") == BAD
    write({"loopcheck.toml": "extend-safe-fixes = ['clip-after-step']"})
    assert "(safe: run with --fix)" in run("--no-cache", "a.py").stdout
    run("--fix", "--no-cache", "a.py")
    assert Path("a.py").read_text(encoding="utf-8") != BAD


def test_a_finding_that_settings_leave_to_a_person_says_so(run: Run) -> None:
    write({"a.py": BAD, "loopcheck.toml": "unfixable = ['ALL']"})
    (entry,) = json.loads(run("--output-format", "json", "a.py").stdout)
    assert (entry["fix"], entry["no_fix_reason"]) == (None, "the settings leave it to a person")
    write({"loopcheck.toml": "unfixable = ['clip-after-stop']"})
    assert "loopcheck.toml:1:1: there is no rule 'clip-after-stop'; did you mean 'clip-after-step'?" in run("a.py").stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "COMMAND"),
        (("-", "train.py"), "`-` is standard input, and goes alone"),
        (("train.py", "--stdin-filename", "a.py"), "--stdin-filename goes with the path `-`"),
        (("--wrong", "train.py"), "No such option '--wrong'"),
        (("missing.py", "gone/"), "missing.py: no such file or folder\ngone: no such file or folder"),
        (("empty",), "empty: no Python file or notebook in this folder"),
        (("train.py", "--select", "clip-after-stop"), "there is no rule 'clip-after-stop'; did you mean 'clip-after-step'?"),
        (("train.py", "--ignore", "LC9"), "there is no rule 'LC9'"),
        (("train.py", "--select", "lc101"), "did you mean 'LC101'?"),
        (("train.py", "--ignore", "ALL"), "no rule is selected, so nothing would be judged"),
        (("train.py", "--unsafe-fixes"), "--unsafe-fixes goes with --fix or --diff"),
        (("train.py", "--show-fixes"), "--show-fixes goes with --fix or --fix-only"),
        (("train.py", "--diff", "--exit-non-zero-on-fix"), "--exit-non-zero-on-fix goes with --fix or --fix-only"),
        (("train.py", "--min-confidence", "some"), "'some' is not one of 'low', 'medium', 'high'"),
        (("explian", "LC101"), "there is no command and no file `explian`; did you mean `explain`?"),
        (("chek",), "did you mean `check`?"),
        (("shew.py",), "shew.py: no such file or folder"),
        (("explain", "clip"), "there is no rule 'clip'"),
        (("prove", "clip-after-stop"), "did you mean 'clip-after-step'?"),
        (("new", "Clip After", "--pack", "."), "is no rule name"),
    ],
)
def test_wrong_use(run: Run, arguments: tuple[str, ...], told: str) -> None:
    write({"train.py": BAD, "empty/notes.txt": ""})
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert told in result.stderr


def test_wrong_settings(run: Run) -> None:
    write({"train.py": BAD, "pyproject.toml": "[tool.loopcheck]\nignore = ['clip-after-stop']\n"})
    result = run("train.py")
    assert result.exit_code == 2
    assert "pyproject.toml:2:1: there is no rule 'clip-after-stop'; did you mean 'clip-after-step'?" in result.stderr


def test_a_broken_pack(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise packs.PackError("the rule pack 'x' cannot be loaded")

    monkeypatch.setattr(packs, "rules", broken)
    write({"train.py": BAD})
    result = run("train.py")
    assert (result.exit_code, result.stderr) == (2, "Error: the rule pack 'x' cannot be loaded\n")
    assert issubclass(packs.PackError, Misuse)


# --- what is judged


def test_an_option_is_no_misspelled_command(run: Run) -> None:
    write({"train.py": BAD})
    assert run("--no-baseline", "train.py").exit_code == 1


def test_check_is_the_default_command(run: Run) -> None:
    write({"train.py": BAD, "prove": BAD})
    assert run("train.py").stdout == run("check", "train.py").stdout
    assert run("--output-format", "json", "train.py").stdout == run("check", "train.py", "--output-format=json").stdout
    assert found(run("./prove", "--output-format", "json")) == [("prove", "LC101")]


LATE = BAD.replace("for x, y", "scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)\nscheduler.step()\nfor x, y")


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        ((), ["LC501", "LC101"]),
        (("--select", "bug"), ["LC101"]),
        (("--select", "LC5"), ["LC501"]),
        (("--select", "LC101,scheduler-first"), ["LC501", "LC101"]),
        (("--select", "LC101", "--select", "advice"), ["LC501", "LC101"]),
        (("--select", "ALL", "--ignore", "advice", "--ignore", "LP"), ["LC101"]),
        (("--ignore", "scheduler-first"), ["LC101"]),
    ],
)
def test_selection(run: Run, arguments: tuple[str, ...], codes: list[str]) -> None:
    write({"train.py": LATE})
    assert [code for _, code in found(run("train.py", "--output-format", "json", *arguments))] == codes


def test_the_command_line_wins_over_the_settings(run: Run) -> None:
    write({"train.py": LATE, "pyproject.toml": "[tool.loopcheck]\nselect = ['advice']\nignore = ['LC101']\n"})
    assert [code for _, code in found(run("train.py", "--output-format", "json"))] == ["LC501"]
    assert [code for _, code in found(run("train.py", "--output-format", "json", "--select", "LC101"))] == ["LC101"]
    nothing = run("train.py", "--output-format", "json", "--ignore", "LC5")
    assert (nothing.exit_code, nothing.stdout) == (2, ""), "it is not said that what nobody judged is right"


def test_min_confidence(run: Run) -> None:
    write({"train.py": BAD.replace("optimizer = torch.optim.SGD(model.parameters(), lr=0.1)", "optimizer = make(model)")})
    sure = {entry["confidence"] for entry in json.loads(run("train.py", "--output-format", "json").stdout)}
    assert run("train.py", "--min-confidence", "high").exit_code == ("high" in sure)


def test_what_is_as_likely_wrong_as_right_is_for_those_who_ask(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "rules", lambda: tuple(replace(rule, confidence=lambda _: Confidence.LOW) for rule in RULES))
    write({"train.py": BAD})
    quiet, asked = (run("train.py", "--output-format", "json", *options) for options in ((), ("--min-confidence", "low")))
    assert (found(quiet), quiet.exit_code) == ([], 0)
    assert ([entry["confidence"] for entry in json.loads(asked.stdout)], asked.exit_code) == (["low"], 1)
    write({"pyproject.toml": "[tool.loopcheck]\nmin-confidence = 'low'\n"})
    assert found(run("train.py", "--output-format", "json")) == found(asked)


def test_folders(run: Run) -> None:
    skipped = [
        "a/.hidden/x.py",
        "venv/pyvenv.cfg",
        "venv/x.py",
        "a/__pycache__/x.py",
        "site-packages/x.py",
        "build/x.py",
        ".x.py",
    ]
    ignored = ["a/secret.py", "tmp/x.py", "old/b.py", "a/notes.txt"]
    write(dict.fromkeys([*skipped, *ignored, "z.py", "a/b.py", "a/c/d.py"], BAD))
    write({".git/HEAD": "", ".gitignore": "tmp/\n", "a/.gitignore": "secret.py\n"})
    write({"pyproject.toml": "[tool.loopcheck]\nexclude = ['/old/']\n"})
    assert [file for file, _ in found(run(".", "--output-format", "json"))] == ["a/b.py", "a/c/d.py", "z.py"]
    assert [file for file, _ in found(run("a", "./a/b.py", "--output-format", "json"))] == ["a/b.py", "a/c/d.py"]
    assert [file for file, _ in found(run("a/secret.py", "tmp", "old/b.py", "--output-format", "json"))] == [
        "a/secret.py",
        "old/b.py",
        "tmp/x.py",
    ]


def test_folders_that_a_later_line_lets_in_again(run: Run) -> None:
    """All is out but what has a suffix: `*` is about folders too, and `!*/` is there for those."""
    write(dict.fromkeys(["a/b.py", "a/c/d.py", "logs/x.py", "z.py"], BAD))
    write({".git/HEAD": "", ".gitignore": "*\n!*/\n!*.*\nlogs\n"})
    assert [file for file, _ in found(run(".", "--output-format", "json"))] == ["a/b.py", "a/c/d.py", "z.py"]


def test_verbose_says_what_was_not_judged(run: Run) -> None:
    write({"plain.py": PLAIN})
    result = run("-v", "plain.py")
    assert result.stderr == "plain.py: no training code\n"
    assert result.stdout == "Found nothing in 1 file (0 checked, 1 without training code).\n"


# --- mending


def test_fix_mends_and_then_finds_nothing(run: Run) -> None:
    write({"train.py": BAD, "plain.py": PLAIN})
    result = run("--fix", ".")
    assert result.exit_code == 0
    assert Path("train.py").read_text() == GOOD
    assert Path("plain.py").read_text() == PLAIN
    assert result.stderr.startswith("train.py: mended: clip-after-step: move ")
    assert run("--fix", ".").stderr == ""


def test_a_patch_is_shown_and_nothing_is_written(run: Run) -> None:
    write({"train.py": BAD})
    result = run("--diff", "train.py")
    assert result.exit_code == 1
    assert Path("train.py").read_text() == BAD
    applied = subprocess.run(["patch", "-p0", "-o", "-", "train.py"], input=result.stdout, capture_output=True, text=True)
    assert applied.stdout == GOOD
    write({"train.py": GOOD})
    assert (run("--diff", "train.py").exit_code, run("--diff", "train.py").stdout) == (0, "")


def test_a_patch_does_not_hide_a_failure(run: Run) -> None:
    write({"train.py": BAD, "broken.py": "optim = (\n"})
    result = run("--diff", ".")
    assert result.exit_code == 3
    assert "syntax-error" in result.stderr
    assert "syntax-error" not in result.stdout


def test_what_changes_the_result_needs_to_be_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    unsafe = replace(RULES[0], fix=RULES[0].fix.unsafe)  # type: ignore[union-attr]
    monkeypatch.setattr(packs, "rules", lambda: (unsafe,))
    write({"train.py": BAD})
    assert run("--fix", "train.py").exit_code == 1
    assert Path("train.py").read_text() == BAD
    assert run("--fix", "--unsafe-fixes", "train.py").exit_code == 0
    assert Path("train.py").read_text() == GOOD


def test_a_silenced_finding_is_not_mended(run: Run) -> None:
    text = silenced(CLIP_ROW, "# loopcheck: ignore[clip-after-step] -- on purpose")
    write({"train.py": text})
    assert run("--fix", "train.py").exit_code == 0
    assert Path("train.py").read_text() == text


# --- the other commands


def test_rules_as_json(run: Run) -> None:
    listed = json.loads(run("rules", "--output-format", "json").stdout)
    assert listed[0] == {
        "code": "LC101",
        "name": "clip-after-step",
        "group": "bug",
        "severity": "bug",
        "fix": "safe",
        "summary": "Clipping after the step limits nothing.",
    }
    assert [rule["code"] for rule in listed] == [rule.code for rule in RULES]


def test_rules_as_text(run: Run) -> None:
    assert run("rules").stdout.splitlines()[1] == "LC501  scheduler-first  advice            The scheduler steps first."


def test_a_new_rule_is_whole_and_is_never_written_over(run: Run) -> None:
    write({"mypack/__init__.py": "", "pyproject.toml": '[project.entry-points."loopcheck.rules"]\nmine = "mypack"\n'})
    result = run("new", "step-twice", "--code", "M007")
    assert result.exit_code == 0
    folder = Path("mypack/step_twice")
    assert {file.name for file in folder.iterdir()} == {"__init__.py", "page.md", "bad.py", "good.py", "proof.py"}
    assert 'code="M007"' in (folder / "__init__.py").read_text()
    assert "# step-twice" in (folder / "page.md").read_text()
    (folder / "page.md").write_text("mine")
    again = run("new", "step-twice")
    assert (again.exit_code, (folder / "page.md").read_text()) == (2, "mine")
    assert "step_twice exists" in again.stderr


def test_a_new_rule_works(run: Run) -> None:
    """The skeleton's own example: its rule finds the marked line, and nothing in the good script."""
    write({"mypack/__init__.py": ""})
    run("new", "step-twice", "--pack", "mypack")
    spec: dict[str, object] = {}
    exec(Path("mypack/step_twice/__init__.py").read_text(), spec)
    bad, good = (Path("mypack/step_twice", name).read_text() for name in ("bad.py", "good.py"))
    rule = spec["rule"]
    (finding,) = check.check_source(bad.encode(), "bad.py", [rule]).findings  # type: ignore[list-item]
    assert bad.splitlines()[finding.primary.row - 1].endswith("# bug")
    assert check.check_source(good.encode(), "good.py", [rule]).findings == ()  # type: ignore[list-item]


def test_explain_shows_what_is_different(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The finding or the bad script, what was measured, the difference that mends it, and nothing else of the good one."""
    write({"mypack/__init__.py": ""})
    run("new", "step-twice", "--pack", "mypack")
    folder = tmp_path / "mypack/step_twice"
    monkeypatch.setattr(packs, "rules", lambda: (replace(RULES[0], folder=folder),))
    told = run("explain", "LC101").stdout
    assert "clip-after-step (LC101)" in told
    assert "Fix:   mended by `loopcheck check --fix`" in told
    assert "                optimizer.step()  # bug\n" in told
    assert "\n    -            optimizer.step()\n" in told
    assert told.count("import torch") == 1
    assert "Run `loopcheck prove step-twice` to measure it." in told
    assert "--8<--" not in told
    rows = (Row("norm", "cpu", "> 1", "9", "<= 1", "1", 0.0, True),)
    measured.save(folder, measured.Measured("cpu", "some machine", "2.9", rows, repaired=True))
    (folder / "bad.txt").write_text("bug[LC101] told\n   = help: loopcheck explain LC101\n\nFound 1 bug.\n")
    told = run("explain", "LC101").stdout
    assert "    bug[LC101] told\n\n" in told
    assert "Measured on cpu (some machine, torch 2.9):" in told
    assert "  norm      > 1          9         <= 1          1         0       holds\n" in told
    assert "Found 1 bug" not in told


@pytest.mark.parametrize(
    ("theory", "kept", "now", "alike"),
    [
        ("= 9", "9", "9.0002", True),
        ("= 9", "9", "9.2", False),
        ("> 0.05", "0.1404", "0.1436", True),
        ("> 0.05", "0.1404", "0.17", False),
        ("<= 1e-06", "9.3e-08", "5.1e-07", True),
        ("<= 1e-06", "9.3e-08", "0.01", False),
        ("<= 1", "0.4", "0.9", False),
    ],
)
def test_a_number_may_differ_between_machines_by_what_its_theory_leaves_open(
    theory: str, kept: str, now: str, alike: bool
) -> None:
    def of(measured_now: str) -> measured.Measured:
        return measured.Measured("cpu", "", "", (Row("norm", "cpu", theory, measured_now, "= 1", "1", 0.0, True),))

    assert [*measured.off(of(kept), of(now))] == ([] if alike else [f"norm: bad: measured is `{now}`, and `{kept}` is kept"])


@pytest.fixture
def proved(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Every rule's proof is what the test says it is."""
    from loopcheck import prove, proving

    def says(rows: list[Row], torch: str = "2.9", **more: Any) -> None:
        monkeypatch.setattr(proving, "prove", lambda rule, device, fixed, play: prove.Proof(rule, device, tuple(rows), **more))
        monkeypatch.setattr(proving, "kept_of", lambda proof: measured.Measured(proof.device, "here", torch, proof.rows))
        monkeypatch.setattr(proving, "_mended", lambda rule: None)
        monkeypatch.setattr(proving, "outcome", lambda name, rule, runs, complaints: "-" if name == "fix" else "ok")

    return says


@pytest.mark.parametrize(("holds", "status"), [(True, 0), (False, 1)])
def test_a_claim_that_fails_is_an_exit_code(run: Run, proved: Callable[..., None], holds: bool, status: int) -> None:
    proved([Row("norm", "cpu", "> 1", "9", "<= 1", "1", 0.0, holds)])
    result = run("prove", "clip-after-step")
    assert result.exit_code == status
    assert result.stdout.startswith("LC101 clip-after-step on cpu: ")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_whole_catalogue_is_proved_and_ends_in_one_table(run: Run, proved: Callable[..., None], jobs: str) -> None:
    proved([Row("norm", "cuda", "> 1", "9", "<= 1", "1", 0.0, True), Row("steps", "cuda", "= 2", "2", "= 1", "1", 0.0, True)])
    told = run("prove", "--device", "cuda", "--jobs", jobs).stdout
    assert len(told.split(" on cuda: ")) == len(RULES) + 1
    lines = told.splitlines()
    assert lines[-1] == f"{len(RULES)} of {len(RULES)} rules hold."
    head, *rows = lines[-2 * len(RULES) - 3 : -2]
    assert head.split()[-5:] == ["lint", "run", "fix", "proof", "text"]
    assert " ".join(rows[0].split()) == "LC101 clip-after-step norm > 1 9 <= 1 1 cuda ok ok - ok ok"
    assert " ".join(rows[1].split()) == "steps = 2 2 = 1 1 cuda"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_script_that_leaves_no_record_is_a_complaint_of_its_rule(
    run: Run, proved: Callable[..., None], monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    from loopcheck import proving
    from loopcheck.record import RecordError

    def ends(rule: Rule, device: str, fixed: str | None, play: object) -> None:
        raise RecordError("bad.py ended with code 7")

    proved([])
    monkeypatch.setattr(proving, "prove", ends)
    result = run("prove", "--jobs", jobs)
    assert result.exit_code == 1
    assert result.stdout.splitlines().count("bad.py ended with code 7") == len(RULES)


def test_proofs_in_every_format(run: Run, proved: Callable[..., None]) -> None:
    from loopcheck.prove import Curve

    row = Row("norm | <b>", "cpu", "> 1", "9", "<= 1", "1", 0.0, True)
    proved([row], curve=Curve("learning rate", (1.0, 2.0), (1.0, 1.0), (1.0, 1.0)))
    (told, *_) = json.loads(run("prove", "--jobs", "1", "--output-format", "json").stdout)
    assert (told["code"], told["holds"], told["verdicts"]["fix"], told["torch"]) == ("LC101", True, "-", "2.9")
    assert told["claims"][0]["bad_measured"] == "9"
    assert told["curve"] == {"quantity": "learning rate", "bad": [1.0, 2.0], "good": [1.0, 1.0], "mended": [1.0, 1.0]}
    head, _, first, *_ = run("prove", "--jobs", "1", "--output-format", "markdown").stdout.splitlines()
    assert head.count(" | ") == first.count(" | ") == 11
    page = run("prove", "--jobs", "1", "--output-format", "html").stdout
    assert page.count("<polyline") == 3 * len(RULES)
    assert "norm | &lt;b&gt;" in page
    assert all(link.startswith("#") for link in re.findall(r'(?:src|href)="([^"]*)"', page))


def test_what_was_measured_is_kept_and_compared(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proved: Callable[..., None]
) -> None:
    """The last digits may differ from machine to machine, and with another torch all of them; the claims may not."""
    monkeypatch.setattr(packs, "rules", lambda: (replace(RULES[0], folder=tmp_path),))
    rows = [Row("norm", "cpu", "> 1", "9.0001", "<= 1", "1", 0.0, True)]
    proved(rows)
    assert run("prove", "LC101", "--record").exit_code == 0
    rows[0] = replace(rows[0], bad_measured="9.0002")
    assert run("prove", "LC101").exit_code == 0
    rows[0] = replace(rows[0], bad_measured="8")
    stale = run("prove", "LC101")
    assert (stale.exit_code, stale.stdout.splitlines()[-1]) == (
        1,
        "  kept of cpu (here, torch 2.9): norm: bad: measured is `8`, and `9.0001` is kept",
    )
    proved(rows, torch="3.0")
    other = run("prove", "LC101")
    assert (other.exit_code, other.stdout.splitlines()[-1]) == (0, stale.stdout.splitlines()[-1])
    rows.append(rows[0])
    assert "other quantities are kept than are measured" in run("prove", "LC101").stdout


def test_proving_without_torch(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    result = run("prove", "LC101")
    assert result.exit_code == 2
    assert "loopcheck[prove]" in result.stderr


# --- as a program


def program_(*arguments: str, cwd: Path, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "loopcheck", *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heeds_interrupts,
    )


def test_version(tmp_path: Path) -> None:
    out, _ = program_("--version", cwd=tmp_path).communicate()
    assert out.startswith("loopcheck ")


def test_the_same_words_on_every_run(tmp_path: Path) -> None:
    shutil.copyfile(Path(loopcheck_rules.__path__[0], "missing_eval_mode", "bad.py"), tmp_path / "train.py")
    said = {program_("train.py", cwd=tmp_path, PYTHONHASHSEED=seed).communicate()[0] for seed in "123"}
    assert len(said) == 1
    assert "LC601" in said.pop()


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / f"train{number}.py").write_text("optim = (\n")
    process = program_(".", cwd=tmp_path)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    _, err = process.communicate()
    assert err == ""


def test_an_interrupt_ends_quietly(tmp_path: Path) -> None:
    process = program_("-", cwd=tmp_path)  # reading waits for a writer
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err.strip()) == (130, "")


# --- silencing from the command line


def test_add_ignore_silences_all_that_is_found(run: Run) -> None:
    write({"train.py": BAD})
    result = run("train.py", "--add-ignore", "only the norm is wanted")
    assert result.exit_code == 0
    lines = BAD.splitlines()
    comment = "    # loopcheck: ignore[clip-after-step] -- only the norm is wanted"
    assert Path("train.py").read_text().splitlines() == [*lines[: CLIP_ROW - 1], comment, *lines[CLIP_ROW - 1 :]]
    assert run("train.py").stdout == "Found nothing in 1 file (1 checked). 1 silenced by comments.\n"


@pytest.mark.parametrize(
    "code",
    [
        "    norms = [\n        nn.utils.clip_grad_norm_(\n            model.parameters(), 1.0,\n        )\n    ]\n",
        "    if True: nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n",
        "    norm = \\\n        nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n",
        '    text = """\n    """; nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n',
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_comment_goes_where_it_is_one(run: Run, code: str, newline: str) -> None:
    before = "".join([*BAD.splitlines(keepends=True)[: CLIP_ROW - 1], code])
    Path("train.py").write_bytes(before.replace("\n", newline).encode())
    run("train.py", "--add-ignore", "only the norm is wanted")
    after = Path("train.py").read_bytes().decode()
    assert [line for line in after.split(newline) if "loopcheck:" not in line] == before.split("\n")
    assert run("train.py").exit_code == 0


def test_where_no_comment_can_be_put_the_file_stays(run: Run) -> None:
    data = f"# coding: latin-1\n{BAD}".encode("latin-1")
    Path("train.py").write_bytes(data)
    result = run("train.py", "--add-ignore", "für λ und so weiter")
    assert (result.exit_code, Path("train.py").read_bytes()) == (1, data)
    assert "train.py: not silenced: the file's encoding, latin-1, cannot write the reason" in result.stderr


def test_what_is_in_the_baseline_needs_no_comment(run: Run) -> None:
    write({"train.py": BAD})
    run("baseline", "write")
    assert run("train.py", "--add-ignore", "only the norm is wanted").exit_code == 0
    assert Path("train.py").read_text() == BAD


@pytest.mark.parametrize("reason", ["", " ", "TODO", "false positive", "one\ntwo"])
def test_a_reason_has_to_be_one(run: Run, reason: str) -> None:
    write({"train.py": BAD})
    result = run("train.py", "--add-ignore", reason)
    assert (result.exit_code, Path("train.py").read_text()) == (2, BAD)


def test_no_ignores(run: Run) -> None:
    write({"train.py": silenced(CLIP_ROW, "# loopcheck: ignore[LC101] -- shown in a lecture")})
    assert run("train.py").exit_code == 0
    assert found(run("train.py", "--no-ignores", "--output-format", "json")) == [("train.py", "LC101")]
    assert run("train.py", "--no-ignores", "--fix").exit_code == 2


# --- formats


def test_several_formats_in_one_run(run: Run) -> None:
    write({"train.py": BAD})
    result = run("train.py", "--output", "json:out.json", "--output", "sarif:out.sarif")
    assert "Found 1 bug" in result.stdout
    assert Path("out.json").read_text() == run("train.py", "--output-format", "json").stdout
    assert len(json.loads(Path("out.sarif").read_text())["runs"][0]["results"]) == 1


@pytest.mark.parametrize("output", ["json", "jason:x", "json:", "json:no/such/folder"])
def test_a_report_that_cannot_be_written_is_wrong_use(run: Run, output: str) -> None:
    write({"train.py": GOOD})
    result = run("train.py", "--output", output)
    assert (result.exit_code, result.stdout) == (2, ""), "it is told before anything is judged"


def test_a_group_without_a_command_shows_what_there_is(run: Run) -> None:
    told = run("baseline")
    assert "\nCommands:\n" in told.stdout + told.stderr


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"FORCE_COLOR": "0"}, False),
        ({"CLICOLOR_FORCE": "0"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True),
    ],
)
def test_colours_where_they_are_asked_for(
    run: Run, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], coloured: bool
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    write({"train.py": BAD})
    assert ("\x1b[" in run("train.py").stdout) == coloured
    assert "\x1b[" not in run("train.py", "--output-format", "json").stdout


@pytest.mark.parametrize(("environment", "coloured"), [({}, None), ({"CLICOLOR": "0"}, False), ({"TERM": "dumb"}, False)])
def test_a_terminal_says_whether_it_has_colours(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], coloured: bool | None
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert colours() is coloured

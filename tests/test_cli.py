"""The command line: what it takes, what it says, and exit codes that do not lie."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import loopcheck_rules
import pytest
from click.testing import CliRunner, Result
from samples import BAD, CLIP_ROW, GOOD, PLAIN, RULES, heeds_interrupts, silenced

from loopcheck import check, job, packs
from loopcheck.cli import program
from loopcheck.misuse import Misuse
from loopcheck.rule import Confidence, Rule

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Call the command line in an empty folder, with the tests' catalogue."""
    monkeypatch.setattr(packs, "rules", lambda: RULES)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Result:
        return CliRunner().invoke(program, arguments, prog_name="loopcheck", catch_exceptions=False)

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


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "COMMAND"),
        (("check",), "Missing argument 'PATHS...'"),
        (("--wrong", "train.py"), "No such option '--wrong'"),
        (("missing.py", "gone/"), "missing.py: no such file or folder\ngone: no such file or folder"),
        (("empty",), "empty: no Python file or notebook in this folder"),
        (("train.py", "--select", "clip-after-stop"), "there is no rule 'clip-after-stop'; did you mean 'clip-after-step'?"),
        (("train.py", "--ignore", "LC9"), "there is no rule 'LC9'"),
        (("train.py", "--select", "lc101"), "did you mean 'LC101'?"),
        (("train.py", "--unsafe-fixes"), "--unsafe-fixes goes with --fix or --diff"),
        (("train.py", "--min-confidence", "some"), "'some' is not one of 'low', 'medium', 'high'"),
        (("explain", "clip"), "there is no rule 'clip'"),
        (("prove",), "name a rule, or say --all"),
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
    assert "pyproject.toml: there is no rule 'clip-after-stop'; did you mean 'clip-after-step'?" in result.stderr


def test_a_broken_pack(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise packs.PackError("the rule pack 'x' cannot be loaded")

    monkeypatch.setattr(packs, "rules", broken)
    write({"train.py": BAD})
    result = run("train.py")
    assert (result.exit_code, result.stderr) == (2, "Error: the rule pack 'x' cannot be loaded\n")
    assert issubclass(packs.PackError, Misuse)


# --- what is judged


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
    assert found(run("train.py", "--output-format", "json", "--ignore", "LC5")) == []


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


def test_explain_includes_the_scripts(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"mypack/__init__.py": ""})
    run("new", "step-twice", "--pack", "mypack")
    monkeypatch.setattr(packs, "rules", lambda: (replace(RULES[0], folder=tmp_path / "mypack/step_twice"),))
    told = run("explain", "LC101").stdout
    assert "clip-after-step (LC101)" in told
    assert "Fix:   mended by `loopcheck check --fix`" in told
    assert "                optimizer.step()  # bug\n" in told
    assert "Run `loopcheck prove step-twice` to measure it." in told
    assert "--8<--" not in told


@pytest.mark.parametrize(("holds", "status"), [(True, 0), (False, 1)])
def test_a_claim_that_fails_is_an_exit_code(run: Run, monkeypatch: pytest.MonkeyPatch, holds: bool, status: int) -> None:
    from loopcheck import prove

    def proved(rule: Rule, device: str, fixed: str | None) -> prove.Proof:
        return prove.Proof(rule, device, (prove.Row("norm", device, "> 1", "9", "<= 1", "1", 0.0, holds),))

    monkeypatch.setattr(prove, "prove", proved)
    result = run("prove", "clip-after-step")
    assert result.exit_code == status
    assert result.stdout.startswith("LC101 clip-after-step on cpu: ")
    assert len(run("prove", "--all", "--device", "cuda").stdout.split(" on cuda: ")) == len(RULES) + 1


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
    (tmp_path / "fifo.py").touch()
    os.remove(tmp_path / "fifo.py")
    os.mkfifo(tmp_path / "fifo.py")
    process = program_("fifo.py", cwd=tmp_path)  # reading waits for a writer
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err.strip()) == (130, "")

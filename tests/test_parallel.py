"""Several processes: the same report, whoever judges what, and a process that dies takes nothing along."""

from __future__ import annotations

import faulthandler
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import loopcheck_rules
import pytest
from click.testing import CliRunner, Result
from samples import BAD, GOOD, PLAIN, heeds_interrupts

from loopcheck import job, pool
from loopcheck.check import check_file
from loopcheck.cli import program
from loopcheck.pool import Died, spread

ROOT = Path(__file__).parent.parent


def check(*arguments: str) -> Result:
    return CliRunner().invoke(program, ["check", "--no-cache", *arguments], catch_exceptions=False)


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")


# --- the report


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_the_report_is_that_of_one_process(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Projects whose files lead to each other's defects, each told once, and single scripts."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("loopcheck.pool.METHOD", method)
    scripts = sorted(map(str, Path(loopcheck_rules.__path__[0]).glob("*/bad.py")))[:8]
    for arguments in (["-v"], ["--output-format", "json"]):
        one, three = (check("--jobs", jobs, *arguments, "fixtures/projects", *scripts) for jobs in "13")
        assert (one.exit_code, one.stdout) == (three.exit_code, three.stdout)
        assert one.stderr == three.stderr
        assert "late_unscale" in one.stdout


@pytest.mark.parametrize(("jobs", "count", "processes"), [("1", 40, 0), ("8", 3, 0), ("8", 7, 0), ("2", 40, 2), ("8", 12, 3)])
def test_processes_are_made_where_they_pay(
    jobs: str, count: int, processes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write({f"train{number}.py": GOOD for number in range(count)})
    write({f"plain{number}.py": PLAIN for number in range(40)})
    asked: list[int] = []

    def counting(make: pool.Make, arguments: tuple[object, ...], groups: Sequence[Sequence[int]], workers: int) -> object:
        asked.append(workers)
        return spread(make, arguments, groups, workers)

    monkeypatch.setattr(pool, "spread", counting)
    assert check("--jobs", jobs, ".").exit_code == 0
    assert asked == ([processes] if processes else [])


def test_what_is_remembered_needs_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write({f"train{number}.py": BAD for number in range(12)})
    first = CliRunner().invoke(program, ["check", "--jobs", "3", "."])
    monkeypatch.setattr(pool, "spread", lambda *_: pytest.fail("a process was made"))
    assert CliRunner().invoke(program, ["check", "--jobs", "3", "."]).stdout == first.stdout


def test_jobs_is_a_number_of_processes() -> None:
    assert check("--jobs", "0", ".").exit_code == 2
    assert job.cores() >= 1


# --- who works on what


def test_a_group_has_one_worker_while_there_are_others(tmp_path: Path) -> None:
    """Each worker begins with a group of its own; only then is the longest shared."""
    groups = [range(0, 40), range(40, 48), range(48, 56)]
    told = list(spread(_pid, (), groups, 3))
    assert sorted(number for number, _ in told) == list(range(56))
    workers = [{pid for number, pid in told if number in group} for group in groups]
    assert len(workers[1]) == len(workers[2]) == 1
    assert workers[1] != workers[2]


def test_one_that_dies_costs_what_it_was_at() -> None:
    told = dict(spread(_dies, (), [range(30)], 2))
    assert {number for number, answer in told.items() if isinstance(answer, Died)} == {3, 12, 29}
    assert str(told[3]) == "SIGSEGV"
    assert str(told[12]) == "exit status 7"
    assert all(told[number] == number for number in range(30) if number not in {3, 12, 29})


def _pid() -> Callable[[int], int]:
    def do(number: int) -> int:
        time.sleep(0.02)
        return os.getpid()

    return do


def _dies() -> Callable[[int], int]:
    def do(number: int) -> int:
        if number in (3, 29):
            faulthandler.disable()
            os.kill(os.getpid(), signal.SIGSEGV)
        if number == 12:
            os._exit(7)
        return number

    return do


def test_a_file_that_ends_its_process_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write({f"train{number}.py": BAD for number in range(12)})
    judged = check_file

    def crash(path: Path, *others: object) -> object:
        if path.name == "train5.py":
            faulthandler.disable()
            os.kill(os.getpid(), signal.SIGSEGV)
        return judged(path, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(job, "check_file", crash)
    result = check("--jobs", "2", "--output-format", "json", ".")
    assert result.exit_code == 3
    entries = {entry["filename"]: entry for entry in json.loads(result.stdout)}
    assert {name for name, entry in entries.items() if entry["code"] != "LC000"} == {f"train{n}.py" for n in range(12) if n != 5}
    assert entries["train5.py"]["name"] == "internal-error"
    assert "the process that judged this file ended with SIGSEGV" in entries["train5.py"]["message"]


# --- an interrupt

SLOW = """\
import sys, time
from loopcheck import cli, job
judged = job.check_file
def slow(path, *others):
    if path.name.startswith("slow"):
        open(f"{path}.begun", "w").close()
        time.sleep(3.0)
    return judged(path, *others)
job.check_file = slow
cli.main()
"""


@pytest.fixture
def slow(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Starts a run in a group of its own, and waits until it is at a file that takes long."""
    for number in range(20):
        (tmp_path / f"quick{number}.py").write_text(BAD)
    for number in range(2):
        (tmp_path / f"slow{number}.py").write_text(BAD)

    def start(*arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", SLOW, "check", *arguments, "."],
            cwd=tmp_path,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=heeds_interrupts,
        )
        for _ in range(200):
            if list(tmp_path.glob("*.begun")):
                break
            time.sleep(0.1)
        time.sleep(0.5)
        return process

    return start


def alone(group: int, seconds: float) -> bool:
    """Whether all processes of a group have ended by then."""
    for _ in range(int(seconds * 10)):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_run_shows_what_it_has_found(slow: Callable[..., subprocess.Popen[str]], jobs: str) -> None:
    process = slow("--jobs", jobs)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err == ""
    assert "quick0.py:11:5" in out
    assert "slow" not in out
    assert "Interrupted: 2 files were not judged.\n" in out
    assert alone(process.pid, 1.0)


def test_an_interrupted_list_is_still_one(slow: Callable[..., subprocess.Popen[str]]) -> None:
    process = slow("--jobs", "2", "--output-format", "json")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, "")
    assert {entry["filename"] for entry in json.loads(out)} == {f"quick{number}.py" for number in range(20)}


def test_what_was_found_before_an_interrupt_is_remembered(slow: Callable[..., subprocess.Popen[str]], tmp_path: Path) -> None:
    process = slow("--jobs", "2")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert len(list(tmp_path.glob(".loopcheck_cache/*/report/*"))) == 20


def test_nobody_is_left_behind(slow: Callable[..., subprocess.Popen[str]]) -> None:
    """Where the run is killed, its workers end with what they are at."""
    process = slow("--jobs", "2")
    process.kill()
    process.wait(timeout=20)
    assert alone(process.pid, 6.0)


def test_the_command_is_not_run_again_by_a_worker(tmp_path: Path) -> None:
    """A worker that is started anew loads the program's main module, which must do nothing then."""
    shutil.copyfile(ROOT / "src/loopcheck/__main__.py", tmp_path / "main.py")
    code = "import runpy; runpy.run_path('main.py', run_name='__mp_main__')"
    process = subprocess.run([sys.executable, "-c", code, "--version"], cwd=tmp_path, capture_output=True, text=True)
    assert (process.returncode, process.stdout) == (0, "")

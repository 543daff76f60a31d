"""What the judges say of the scripts in this folder, against their marks: `python pending/check.py [--run] [WORD ...]`.

Each is judged in a process of its own, which has thirty seconds and 2 GB. A folder is a project, whose files are judged together.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path

from loopcheck import packs, testing
from loopcheck.check import check_file

HERE = Path(__file__).parent
SECONDS, BYTES = 30, 2 * 1024**3
Marks = set[tuple[str, str, int]]


def programs(words: list[str]) -> list[Path]:
    """The scripts and folders whose names hold one of the words; all where there is none."""
    found = sorted({*HERE.glob("*.py"), *(path.parent for path in HERE.glob("*/train.py"))} - {Path(__file__)})
    return [path for path in found if not words or any(word in path.name for word in words)]


def files(program: Path) -> list[Path]:
    return sorted(program.rglob("*.py")) if program.is_dir() else [program]


def marked(program: Path) -> Marks:
    return {(file.name, *mark) for file in files(program) for mark in testing.marks(file)}


def read(program: Path) -> Marks:
    """What the static judge says of all files, each finding where it is told."""
    found: Marks = set()
    for file in files(program):
        report = check_file(file, packs.rules())
        assert not report.problems, report.problems[0].message
        told_here = (each for each in report.findings if each.elsewhere is None)
        found |= {(Path(each.primary.path).name, each.rule.name, each.primary.row) for each in told_here}
    return found


def ran(program: Path, runs: testing.Runs) -> Marks:
    """What the run-time judge says."""
    run = runs.of(program / "train.py" if program.is_dir() else program)
    assert run.raised is None, run.raised
    return {(file.name, *mark) for file, marks in testing.audited(run).items() for mark in marks}


def told(found: Marks, right: Marks) -> str:
    """How what is found differs from what is right."""
    false = [f"{name} at {file}:{row} is false" for file, name, row in sorted(found - right)]
    missed = [f"{name} at {file}:{row} is missed" for file, name, row in sorted(right - found)]
    return ", ".join(false + missed) or "right"


def judge(program: Path) -> str:
    """The static judge in a process of its own."""
    began = time.monotonic()
    command = [sys.executable, __file__, "--one", str(program)]
    bounded = lambda: resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))  # noqa: E731
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, preexec_fn=bounded, check=False)
    except subprocess.TimeoutExpired:
        return f"not done after {SECONDS} s"
    said = done.stdout.strip() if done.returncode == 0 else (done.stderr.strip().splitlines() or ["killed"])[-1]
    return f"{said} ({time.monotonic() - began:.0f} s)"


def main(words: list[str]) -> None:
    if words[:1] == ["--one"]:
        program = Path(words[1])
        print(told(read(program), marked(program)))
    elif words[:1] == ["--run"]:
        with testing.Runs() as runs:
            for program in programs(words[1:]):
                try:
                    said = told(ran(program, runs), marked(program))
                except AssertionError as error:
                    said = str(error)
                print(f"{program.name:40} {said}", flush=True)
    else:
        for program in programs(words):
            print(f"{program.name:40} {judge(program)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

"""What a terminal shows while a run goes on, and what nobody but a terminal is shown."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import click
import pytest
from samples import BAD, CLIP, CLIP_ROW
from test_parallel import SLOW

from loopcheck.finding import Finding, Problem, Report, Span
from loopcheck.rule import Confidence
from loopcheck.show.formats.full import show
from loopcheck.show.progress import Bar, Flow
from loopcheck.show.view import View


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def bar(stream: io.StringIO, seconds: float) -> Bar:
    moments = iter([0.0])
    return Bar(9, stream, lambda: next(moments, seconds))


def finding(path: str, elsewhere: str | None = None) -> Finding:
    at = Span(path, CLIP_ROW, 5, CLIP_ROW, 20)
    return Finding(CLIP, "never mind", Confidence.HIGH, at, (), None, Span(elsewhere, 1, 1, 1, 2) if elsewhere else None)


# --- how far it is


def test_nothing_is_said_of_what_takes_no_time() -> None:
    stream = Terminal()
    quick = bar(stream, 0.9)
    quick.draw(3)
    quick.erase()
    assert stream.getvalue() == ""


def test_after_a_second_files_are_counted_and_the_count_is_erased() -> None:
    stream = Terminal()
    slow = bar(stream, 1.1)
    slow.draw(3)
    slow.draw(4)
    slow.erase()
    slow.erase()
    assert stream.getvalue() == "\r\x1b[K3 of 9 files\r\x1b[K4 of 9 files\r\x1b[K"


def test_only_a_terminal_is_told() -> None:
    stream = io.StringIO()
    bar(stream, 5.0).draw(3)
    assert stream.getvalue() == ""


# --- findings as they are known


def flow(capsys: pytest.CaptureFixture[str], *reports: tuple[int, Report]) -> tuple[Flow, list[str]]:
    """After each report, the files that findings have been shown of."""
    flow = Flow(bar(io.StringIO(), 0.0), lambda span: BAD.splitlines())
    shown = []
    for number, report in reports:
        flow.hear(number, report)
        shown.append(" ".join(re.findall(r"--> (\S+?):", capsys.readouterr().out)))
    return flow, shown


def test_in_the_order_of_the_files(capsys: pytest.CaptureFixture[str]) -> None:
    a, b, c = (Report(name, (finding(name),)) for name in ("a.py", "b.py", "c.py"))
    _, shown = flow(capsys, (1, b), (0, a), (2, c))
    assert shown == ["", "a.py b.py", "c.py"]


def test_what_may_be_told_in_another_file_waits_for_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    problem = Problem("syntax", "oh", Span("a.py", 1, 1, 1, 1))
    a = Report("a.py", (finding("a.py", elsewhere="z.py"),), (problem,))
    told, shown = flow(capsys, (0, a))
    assert shown == ["a.py"]
    left = click.unstyle("".join(show(View([a], lambda span: [], lambda span: 1, (), told.shown))))
    assert "never mind" in left
    assert "syntax-error" not in left
    assert "Found 1 error and 1 bug in 1 of 1 file" in left


def test_what_is_mended_in_another_file_waits_too(capsys: pytest.CaptureFixture[str]) -> None:
    here, there = (replace(finding("a.py"), changes=("one",), mended_in=path) for path in ("a.py", "z.py"))
    assert flow(capsys, (0, Report("a.py", (there,))))[1] == [""]
    assert flow(capsys, (0, Report("a.py", (here, replace(finding("a.py"), message="again", changes=("one",))))))[1] == ["a.py"]


# --- on a terminal


def on_terminal(command: list[str], cwd: Path) -> list[tuple[float, str]]:
    """What a terminal is shown, and when."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, cwd=cwd, stdout=theirs, stderr=theirs, env={**os.environ, "NO_COLOR": "1"})
    os.close(theirs)
    start = time.monotonic()
    shown = []
    while True:
        try:
            text = os.read(ours, 10_000).decode()
        except OSError:
            break
        if not text:
            break
        shown.append((time.monotonic() - start, text))
    process.wait()
    os.close(ours)
    return shown


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_finding_is_shown_while_the_rest_is_judged(tmp_path: Path, jobs: str) -> None:
    for name in ("a.py", "b.py", "slow1.py", "z.py", "z1.py", "z2.py", "z3.py", "z4.py", "z5.py", "z6.py"):
        (tmp_path / name).write_text(BAD)
    shown = on_terminal([sys.executable, "-c", SLOW, "check", "--no-cache", "--jobs", jobs, "."], tmp_path)
    text = "".join(piece for _, piece in shown)
    early = "".join(piece for at, piece in shown if at < shown[-1][0] - 1.5)
    assert "a.py:11:5" in early
    assert "slow1.py:11:5" not in early
    assert re.findall(r"--> (\S+?):", text) == sorted(path.name for path in tmp_path.glob("*.py"))
    counts = re.findall(r"\d+ of 10 files(?! \()(.{4})", text, re.DOTALL)
    assert counts
    assert set(counts) == {"\r\x1b[K"}, "a count is left standing"
    assert text.endswith("Found 10 bugs in 10 of 10 files (10 checked). 10 fixable with --fix.\r\n")


def test_what_is_no_terminal_is_shown_nothing_of_it(tmp_path: Path) -> None:
    for name in ("a.py", "slow.py"):
        (tmp_path / name).write_text(BAD)
    command = [sys.executable, "-c", SLOW, "check", "--no-cache", "."]
    process = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert process.stderr == ""
    assert "\x1b" not in process.stdout

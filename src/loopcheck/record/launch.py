"""Starting scripts under the recorder, and collecting what they did."""

from __future__ import annotations

import json
import os
import pickle
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from loopcheck.record.run import Run

MOMENT = 10.0
"""Seconds that the others have when one of several processes has failed: they may wait for it for ever."""


class RecordError(Exception):
    """A run that could not be recorded, with what the process said last."""


def record(
    script: Path,
    args: Sequence[str] = (),
    *,
    device: str | None = None,
    ranks: int = 1,
    measure: bool = False,
    timeout: float = 300.0,
) -> Run:
    """Run a script as `python script args` would, under the recorder. An error of the script is part of the run.

    device: `cpu` hides CUDA from it; `cuda` or None leave the machine as it is.
    ranks: how many processes, as torchrun starts them; the run is that of rank 0, all are in its `ranks`.
    measure: fix seeds and collect the numbers of `Run`, which needs torch here too.
    timeout: seconds for all of it.
    Raises RecordError where a process ends without a record or takes too long.
    """
    with tempfile.TemporaryDirectory(prefix="loopcheck-") as temporary, _rendezvous(ranks) as extras:
        traces = [_Traces(Path(temporary, str(rank))) for rank in range(ranks)]
        environment = _environment(device, measure)
        processes = [
            each.start(_command(each, script, args, measure), environment | extra)
            for each, extra in zip(traces, extras, strict=True)
        ]
        try:
            _wait(processes, script, timeout)
        finally:
            for process in processes:
                process.kill()
                process.wait()
        return _joined([each.run(script, process.returncode) for each, process in zip(traces, processes, strict=True)])


class Nursery:
    """Records many scripts, each in a process forked from one that has loaded torch already: a fraction of the time.

    Only where the system can fork. The options are those of `record`.
    """

    def __init__(self, device: str | None = None, measure: bool = False) -> None:
        self._measure = measure
        self._environment = _environment(device, measure)

    def __enter__(self) -> Nursery:
        command = [sys.executable, "-m", "loopcheck.record", "--nursery"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=self._environment)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.communicate()

    def record(self, script: Path, args: Sequence[str] = (), *, ranks: int = 1, timeout: float = 300.0) -> Run:
        """As the function `record` does."""
        assert self._process.stdin
        assert self._process.stdout
        with tempfile.TemporaryDirectory(prefix="loopcheck-") as temporary, _rendezvous(ranks) as extras:
            traces = [_Traces(Path(temporary, str(rank))) for rank in range(ranks)]
            processes = [
                [str(each.said), str(each.errors), extra, *_arguments(each, script, args, self._measure)]
                for each, extra in zip(traces, extras, strict=True)
            ]
            print(json.dumps([timeout, MOMENT, *processes]), file=self._process.stdin, flush=True)
            codes = self._process.stdout.readline()
            if not codes:
                raise RecordError(f"the process that records {script} has died")
            return _joined([each.run(script, code) for each, code in zip(traces, json.loads(codes), strict=True)])


def _joined(runs: list[Run]) -> Run:
    """The run of rank 0, which has those of all."""
    for run in runs:
        run.ranks = runs
    return runs[0]


class _Traces:
    """What one recorded process leaves: its record, stdout and stderr."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.result = folder / "run"
        self.said = folder / "stdout"
        self.errors = folder / "stderr"

    def start(self, command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
        with self.said.open("wb") as out, self.errors.open("wb") as err:
            return subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, env=environment)

    def run(self, script: Path, code: int) -> Run:
        stderr = self.errors.read_text(encoding="utf-8", errors="replace")
        if not self.result.is_file():
            raise RecordError(f"{script} ended with code {code} and left no record:\n{stderr.strip()[-2000:]}")
        with self.result.open("rb") as stream:
            run: Run = pickle.load(stream)
        run.stdout, run.stderr = self.said.read_text(encoding="utf-8", errors="replace"), stderr
        return run


def _arguments(traces: _Traces, script: Path, args: Sequence[str], measure: bool) -> list[str]:
    return [*(["--measure"] if measure else []), str(traces.result), str(script), *args]


def _command(traces: _Traces, script: Path, args: Sequence[str], measure: bool) -> list[str]:
    return [sys.executable, "-m", "loopcheck.record", *_arguments(traces, script, args, measure)]


def _environment(device: str | None, measure: bool) -> dict[str, str]:
    environment = dict(os.environ)
    if device == "cpu":
        environment["CUDA_VISIBLE_DEVICES"] = ""
    if measure:
        # One thread and one hash seed, so that the same script gives the same numbers on any machine of a kind.
        environment |= {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "CUBLAS_WORKSPACE_CONFIG": ":4096:8"}
    return environment


@contextmanager
def _rendezvous(ranks: int) -> Iterator[list[dict[str, str]]]:
    """What torchrun tells each rank by its environment, and nothing where there is one process.

    The port stays bound until the run is over, though nobody listens on it here: until rank 0 does, the system could
    give it to any other program. A socket that may share its address does not stand in the way of rank 0's, which may
    share its own too.
    """
    if ranks == 1:
        yield [{}]
        return
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        port = str(held.getsockname()[1])
        if sys.platform == "win32":  # there a port that is held is nobody else's
            held.close()
        shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": str(ranks), "LOCAL_WORLD_SIZE": str(ranks)}
        yield [shared | {"RANK": str(rank), "LOCAL_RANK": str(rank)} for rank in range(ranks)]


def _wait(processes: list[subprocess.Popen[bytes]], script: Path, timeout: float) -> None:
    """Until all have ended. A rank that dies leaves the others waiting for it; they get a moment, then no more."""
    deadline = time.monotonic() + timeout
    while any(process.poll() is None for process in processes):
        failed = any(process.poll() for process in processes)
        if failed:
            deadline = min(deadline, time.monotonic() + MOMENT)
        if time.monotonic() > deadline:
            if failed:
                return
            raise RecordError(f"{script} did not end within {timeout:.0f} seconds")
        time.sleep(0.02)

"""Starting a script under the recorder, in one process or in several ranks, and collecting what it did."""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from loopcheck.record.run import Run


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
    with tempfile.TemporaryDirectory(prefix="loopcheck-") as temporary:
        folder = Path(temporary)
        rendezvous = _rendezvous(ranks) if ranks > 1 else [{}]
        workers = [
            _Worker(script, args, folder / str(rank), _environment(device, measure) | extra, measure)
            for rank, extra in enumerate(rendezvous)
        ]
        try:
            _wait(workers, script, timeout)
        finally:
            for worker in workers:
                worker.process.kill()
                worker.process.wait()
        runs = [worker.run() for worker in workers]
    for run in runs:
        run.ranks = runs
    return runs[0]


class _Worker:
    """One process and the files that it writes: its record, stdout and stderr."""

    def __init__(self, script: Path, args: Sequence[str], folder: Path, environment: dict[str, str], measure: bool) -> None:
        folder.mkdir()
        self.script = script
        self.result = folder / "run"
        self.said = folder / "stdout"
        self.errors = folder / "stderr"
        options = ["--measure"] if measure else []
        command = [sys.executable, "-m", "loopcheck.record", *options, str(self.result), str(script), *args]
        with self.said.open("wb") as out, self.errors.open("wb") as err:
            self.process = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, env=environment)

    def run(self) -> Run:
        if not self.result.is_file():
            last = self.errors.read_text(encoding="utf-8", errors="replace").strip()[-2000:]
            raise RecordError(f"{self.script} ended with code {self.process.returncode} and left no record:\n{last}")
        with self.result.open("rb") as stream:
            run: Run = pickle.load(stream)
        run.stdout = self.said.read_text(encoding="utf-8", errors="replace")
        return run


def _environment(device: str | None, measure: bool) -> dict[str, str]:
    environment = dict(os.environ)
    if device == "cpu":
        environment["CUDA_VISIBLE_DEVICES"] = ""
    if measure:
        # One thread and one hash seed, so that the same script gives the same numbers on any machine of a kind.
        environment |= {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "CUBLAS_WORKSPACE_CONFIG": ":4096:8"}
    return environment


def _rendezvous(ranks: int) -> list[dict[str, str]]:
    """What torchrun tells each rank by its environment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": str(ranks), "LOCAL_WORLD_SIZE": str(ranks)}
    return [shared | {"RANK": str(rank), "LOCAL_RANK": str(rank)} for rank in range(ranks)]


def _wait(workers: list[_Worker], script: Path, timeout: float) -> None:
    """Until all have ended. A rank that dies leaves the others waiting for it; they get a moment, then no more."""
    deadline = time.monotonic() + timeout
    while any(worker.process.poll() is None for worker in workers):
        if any(worker.process.poll() for worker in workers):
            deadline = min(deadline, time.monotonic() + 10)
        if time.monotonic() > deadline:
            failed = [worker for worker in workers if worker.process.poll()]
            if failed:
                return
            raise RecordError(f"{script} did not end within {timeout:.0f} seconds")
        time.sleep(0.02)

"""Starting a program so that it is recorded, and is otherwise what it would have been: `python train.py`, to the letter."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from loopcheck.misuse import Misuse
from loopcheck.record.run import Run

_ENTRANCE = Path(__file__).resolve().parent.parent / "record" / "entrance"
_PASSED_ON = ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGCONT")
"""What is sent to us is meant for the program. Ctrl-C reaches it by itself, for it is in our process group."""


@dataclass(frozen=True)
class Recorded:
    """What came of a program. status: as `subprocess` tells it, negative for a signal. troubles: where we failed, not it."""

    status: int
    runs: Sequence[Run]
    troubles: Sequence[str]


def command(words: Sequence[str], module: bool) -> list[str]:
    """The words that start the program: a script or module by this Python, what is neither, `torchrun` say, by itself."""
    name, *rest = words
    if rest[:1] == ["--"]:
        rest = rest[1:]
    if module:
        return [sys.executable, "-m", name, *rest]
    if os.path.exists(name):
        return [sys.executable, name, *rest]
    if shutil.which(name) and os.sep not in name:
        return [name, *rest]
    raise Misuse(f"there is no script `{name}`; a module is audited by `loopcheck audit -m {name}`")


def launch(words: Sequence[str], steps: int | None) -> Recorded:
    """Run a command to its end, and collect what each process of it has recorded.

    steps: record so many optimizer steps; None: until every rule can be decided.
    """
    with tempfile.TemporaryDirectory(prefix="loopcheck-") as folder:
        path = os.environ.get("PYTHONPATH")
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(_ENTRANCE), *([path] if path else [])]),
            "LOOPCHECK_AUDIT": folder,
            **({"LOOPCHECK_STEPS": str(steps)} if steps else {}),
        }
        status = _wait(subprocess.Popen(words, env=environment))
        runs, troubles = collect(Path(folder))
    return Recorded(status, runs, troubles)


def collect(folder: Path) -> tuple[list[Run], list[str]]:
    """The records of a folder, rank by rank, and what went wrong with others."""
    runs: list[Run] = []
    troubles = [file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.trouble"))]
    for file in folder.glob("*.run"):
        run = pickle.loads(file.read_bytes())
        runs.append(run)
        troubles += [run.trouble] if run.trouble else []
    return sorted(runs, key=lambda run: (run.rank, run.pid)), troubles


def die(status: int) -> int:
    """The exit code of a program that ended with this status; by the same signal, where it was one."""
    if status >= 0:
        return status
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the program has left its own
    signal.signal(-status, signal.SIG_DFL) if -status not in (signal.SIGKILL, signal.SIGSTOP) else None
    os.kill(os.getpid(), -status)
    return 128 - status


def _wait(process: subprocess.Popen[bytes]) -> int:
    """Until it ends. We have no say in when that is."""

    def pass_on(number: int, frame: FrameType | None) -> None:
        process.send_signal(number)

    handlers = {number: pass_on for name in _PASSED_ON if (number := getattr(signal, name, None)) is not None}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return process.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

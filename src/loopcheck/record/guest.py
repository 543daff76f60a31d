"""In a process of the user's: begin to record, and leave what was recorded in a folder, whichever way the process ends."""

from __future__ import annotations

import atexit
import multiprocessing.util
import os
import pickle
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn

from loopcheck.loop import Event
from loopcheck.record.patch import UNSEEN
from loopcheck.record.run import Run
from loopcheck.record.session import Session

SUFFIX = ".run"


def begin(folder: str) -> None:
    """Record this process into a folder. What it has imported so far is torch and what comes before."""
    most = os.environ.get("LOOPCHECK_STEPS")
    guest = _Guest(Path(folder), int(most) if most else None)
    atexit.register(guest.leave)
    multiprocessing.util.register_after_fork(guest, _Guest.born)
    sys.excepthook = _without_us(sys.excepthook)
    os._exit = _after(guest.leave, os._exit)  # type: ignore[assignment]


class _Guest:
    """One process, and where its record goes.

    inherited: the events that had been taken down when it was forked; a child that trains nothing of its own, one that loads data
    say, has nothing to tell.
    """

    def __init__(self, folder: Path, most: int | None) -> None:
        self._folder = folder
        self._pid = os.getpid()
        self._inherited = 0
        main = getattr(sys.modules.get("__main__"), "__file__", None)  # Python takes it away before the end
        self._script = os.path.abspath(main) if main else ""
        self._session = Session(_home(), most, self._write)

    def born(self) -> None:
        """This is a child, made by `multiprocessing`, which ends without what is registered at exit."""
        self._pid = os.getpid()
        self._inherited = self._session.enough.full()
        multiprocessing.util.Finalize(self, self.leave, exitpriority=-100)

    def leave(self) -> None:
        """The process ends."""
        if os.getpid() != self._pid:
            return
        run = self._session.end()
        error = getattr(sys, "last_value", None)
        if error is not None:
            run.raised = f"{type(error).__name__}: {error}"
        run.whole = run.raised is None
        self._write(run)

    def _write(self, run: Run) -> None:
        if not _trains(run.trace[self._inherited :]) and run.trouble is None:
            return
        run.pid, run.rank, run.world = os.getpid(), int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
        run.script = self._script
        target = self._folder / f"{os.getpid()}{SUFFIX}"
        draft = target.with_suffix(".part")
        with suppress(FileNotFoundError):  # this process has outlived the audit
            draft.write_bytes(pickle.dumps(run))
            draft.replace(target)


def _trains(trace: Sequence[Event]) -> bool:
    return any(event.verb in ("step", "backward", "forward") for event in trace)


def _home() -> str:
    """The folder of the script; that of a module, or of one that is not known yet, is found from where Python was started."""
    script = next(iter(getattr(sys, "argv", ())), "")  # there is none while Python starts
    return str(Path(script).resolve().parent) if script and os.path.isfile(script) else str(Path.cwd())


def _after(leave: Callable[[], None], end: Callable[[int], NoReturn]) -> Callable[[int], NoReturn]:
    """What ends the process at once, after this: it asks nobody who is registered."""

    def _exit(status: int) -> NoReturn:
        try:
            leave()
        finally:
            end(status)

    return _exit


def _without_us(show: Any) -> Any:
    """What shows an error that ends the program, as it would have been without wrappers in between."""

    def excepthook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        seen: set[int] = set()
        left: list[BaseException | None] = [error]
        while left:
            each = left.pop()
            if each is not None and id(each) not in seen:
                seen.add(id(each))
                each.__traceback__ = _stripped(each.__traceback__)
                left += [each.__cause__, each.__context__]
        show(kind, error, error.__traceback__)

    return excepthook


def _stripped(trace: TracebackType | None) -> TracebackType | None:
    frames = []
    while trace is not None:
        if trace.tb_frame.f_code.co_filename != UNSEEN:
            frames.append(trace)
        trace = trace.tb_next
    kept: TracebackType | None = None
    for each in reversed(frames):
        kept = TracebackType(kept, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return kept

"""Work spread over processes, so that a process that dies costs one piece of the work and no more."""

from __future__ import annotations

import gc
import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeAlias

from loopcheck.structs import dataclass, field

Make: TypeAlias = Callable[..., Callable[[int], Any]]
"""Makes what does the work, in the process that will do it or in one that it is a copy of."""

METHOD = "fork" if sys.platform == "linux" else "spawn"
"""A copy of this process has everything loaded already. Elsewhere than on Linux system libraries do not bear being copied."""
SLICE = 8
"""So many pieces are handed out at a time: few, so that nobody waits for the last worker."""


@dataclass(frozen=True)
class Died:
    """What came of a piece of work that ended its process. status: of its exit; negative for a signal."""

    status: int | None

    def __str__(self) -> str:
        if self.status is None or self.status >= 0:
            return f"exit status {self.status}"
        try:
            return signal.Signals(-self.status).name
        except ValueError:
            return f"signal {-self.status}"


@dataclass(eq=False)
class _Worker:
    process: BaseProcess
    group: int
    todo: deque[int] = field(default_factory=deque)


def spread(
    make: Make, arguments: tuple[Any, ...], groups: Sequence[Sequence[int]], workers: int
) -> Generator[tuple[int, Any], None, None]:
    """Each number of each group with what `make(*arguments)` returns for it, or Died, in whatever order they come.

    A group's numbers go to one worker as long as there are other groups, for work on them has something in common.
    Closing the iterator ends the workers.
    """
    context: Any = multiprocessing.get_context(METHOD)
    work: Any = (_known, (make(*arguments),)) if METHOD == "fork" else (make, arguments)
    if METHOD == "fork":
        gc.freeze()  # what a copy does not touch is not copied
    queues = [deque(group) for group in groups]
    staff: dict[Any, _Worker] = {}
    try:
        while True:
            while len(staff) < workers and (group := _next(queues, staff)) is not None:
                here, there = context.Pipe()
                process = context.Process(target=_serve, args=(there, *work), daemon=True)
                with _uninterrupted():
                    process.start()
                there.close()
                staff[here] = _Worker(process, group)
                _hand(here, staff[here], queues)
            if not staff:
                return
            for each in wait(list(staff)):
                yield from _hear(each, staff, queues)
    finally:
        for connection, worker in staff.items():
            worker.process.kill()
            connection.close()
        for worker in staff.values():
            worker.process.join()


def _hear(connection: Any, staff: dict[Any, _Worker], queues: list[deque[int]]) -> Iterator[tuple[int, Any]]:
    """What a worker has to say; it is given more to do, or sent home."""
    worker = staff[connection]
    try:
        number, answer = connection.recv()
    except (EOFError, OSError):
        worker.process.join()
        del staff[connection]
        queues[worker.group].extendleft(reversed(list(worker.todo)[1:]))
        yield worker.todo[0], Died(worker.process.exitcode)
        return
    worker.todo.popleft()
    if not worker.todo:
        group = worker.group if queues[worker.group] else _next(queues, staff)
        if group is None:
            del staff[connection]
            with suppress(OSError):
                connection.send(None)
            worker.process.join()
        else:
            worker.group = group
            _hand(connection, worker, queues)
    yield number, answer


def _next(queues: Sequence[deque[int]], staff: dict[Any, _Worker]) -> int | None:
    """The group to begin with: the longest that nobody works on, else the longest; None where all is handed out."""
    taken = {worker.group for worker in staff.values()}
    left = [group for group, queue in enumerate(queues) if queue]
    return max(left, key=lambda group: (group not in taken, len(queues[group])), default=None)


def _hand(connection: Any, worker: _Worker, queues: Sequence[deque[int]]) -> None:
    queue = queues[worker.group]
    worker.todo.extend(queue.popleft() for _ in range(min(SLICE, len(queue))))
    with suppress(OSError):  # who has died meanwhile is heard of next
        connection.send(list(worker.todo))


def _serve(connection: Any, make: Make, arguments: tuple[Any, ...]) -> None:
    """A worker's life. It ends when it is told to, or when nobody is left to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asker = multiprocessing.parent_process()
    do = make(*arguments)
    with suppress(EOFError, OSError):
        while numbers := connection.recv():
            for number in numbers:
                if asker is None or not asker.is_alive():
                    return
                connection.send((number, do(number)))


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """An interrupt is for this process to decide on; one that comes while a worker is made waits until it is."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _known(do: Callable[[int], Any]) -> Callable[[int], Any]:
    return do

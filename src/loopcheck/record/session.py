"""A recording inside of a program that is not ours: until enough is known, and without a trace in what the program computes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from torch import Tensor, nn
from torch.optim import Optimizer
from torch.utils.data import DataLoader

from loopcheck.record.gauge import Gauge
from loopcheck.record.recorder import Recorder
from loopcheck.record.run import Run
from loopcheck.record.site import Site
from loopcheck.record.watch import Watch, together

FEWEST = 20
"""Steps after which two passes over what is trained on are enough."""
PASSES = 2
MOST = 2_000
"""Steps after which a run is recorded no longer, however long its passes are."""
MOST_EVENTS = 100_000


class Enough(Watch):
    """Says when every rule can be decided.

    Some need the second pass over the data, and what stands between two; a pass over held-out data is none that counts. Of
    steps that repeat each other a few are as good as all.
    """

    def __init__(self, most: int | None, done: Callable[[], None], doubled: Callable[[], None]) -> None:
        """most: so many steps, and not before; None leaves it to what has been seen. doubled: there are twice as many as when it
        was last called."""
        self._most = most
        self._done = done
        self._doubled = doubled
        self._due = False
        self._began: dict[int, tuple[int, int]] = {}
        self.steps = 0
        self.full: Callable[[], int] = lambda: 0
        self._enough = False

    def after_step(self, optimizer: Optimizer, name: str, backwards: int, closure: bool, at: Site) -> None:
        self.steps += 1
        self._due = self.steps & (self.steps - 1) == 0
        self._enough = self.steps >= (MOST if self._most is None else self._most) or self.full() >= MOST_EVENTS

    def order(self, loader: DataLoader[Any]) -> None:
        passes, before = self._began.get(id(loader), (0, self.steps))
        passes += self.steps > before
        self._began[id(loader)] = passes, self.steps
        if self._most is None and passes >= PASSES and self.steps >= FEWEST:
            self._enough = True
        self._look()

    def before_forward(self, module: nn.Module) -> None:
        self._look()

    def after_backward(self, optimizers: list[Optimizer], loss: list[Tensor], graphs: int, at: Site) -> None:
        self._look()

    def _look(self) -> None:
        """Not at the step itself: the hooks that torch is going through then cannot be taken out."""
        if self._enough:
            self._enough = self._due = False
            self._done()
        elif self._due:
            self._due = False
            self._doubled()


class Session:
    """Records from its making on.

    home: the folder whose code is the user's wherever it lies. most: stop after so many optimizer steps. keep: is called with
    the run as soon as it is enough, and before that with what there is of it, for a program may be killed; None where it cannot
    be. late: the program has imported what it uses.
    """

    def __init__(self, home: str, most: int | None = None, keep: Callable[[Run], None] | None = None, late: bool = False) -> None:
        self.run = Run()
        self._keep = keep
        self.enough = Enough(most, self.stop, self.save)
        self._gauge = Gauge()
        self._recorder: Recorder | None = Recorder(home, together(self._gauge, self.enough))
        self._gauge.cast = self._recorder.cast
        self.enough.full = self._gauge.taken = lambda: self._recorder.full if self._recorder else len(self.run.trace)
        self._recorder.patches.tell = self._fail
        if late:
            self._recorder.patches.adopt()

    def end(self) -> Run:
        """Stop, if that has not happened, and give what was recorded."""
        self._finish()
        self._gauge.forget()
        return self.run

    def stop(self) -> None:
        """Take the hooks out and go on without; what is left to be known of the run is counted."""
        self._finish()
        self.run.stopped = self.enough.steps
        if self._keep:
            self._keep(self.run)

    def save(self) -> None:
        """Have kept what there is so far."""
        if self._keep and self._recorder:
            self._keep(replace(self.run, trace=self._recorder.so_far(), readings=self._gauge.finish()))

    def _fail(self, error: Exception) -> None:
        self.run.trouble = f"{type(error).__name__}: {error}"

    def _finish(self) -> None:
        recorder, self._recorder = self._recorder, None
        if recorder is None:
            return
        recorder.patches.release()
        try:
            self._gauge.take_stock()
            self._gauge.rehearse()
            self.run.trace = recorder.events()
            self.run.readings = self._gauge.finish()
            self._gauge.follow()
        except Exception as error:
            self._fail(error)

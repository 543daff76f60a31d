"""Gradient scalers of mixed precision. A disabled one does nothing, and nothing is taken down."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from torch.amp import GradScaler
from torch.optim import Optimizer

from loopcheck.loop import Role
from loopcheck.record import graph
from loopcheck.record.cast import Cast
from loopcheck.record.gradients import Gradients
from loopcheck.record.ledger import Ledger
from loopcheck.record.patch import Call, wrap
from loopcheck.record.tape import Tape
from loopcheck.record.watch import Watch


class Scalers:
    """Hooks on the scaler's methods. What `step` does inside, unscaling and stepping, is its own affair."""

    def __init__(self, tape: Tape, cast: Cast, ledger: Ledger, gradients: Gradients, watch: Watch) -> None:
        self._tape = tape
        self._watch = watch
        self._cast = cast
        self._ledger = ledger
        self._gradients = gradients

    def install(self) -> None:
        wrap(GradScaler, "__init__", self.make)
        wrap(GradScaler, "scale", self.scale)
        wrap(GradScaler, "unscale_", self.unscale)
        wrap(GradScaler, "step", self.step)
        wrap(GradScaler, "update", self.update)

    def make(self, scaler: GradScaler, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        yield None
        if scaler.is_enabled():
            self._tape.emit_at(self._tape.sites.here(making=scaler), "build", self._role(scaler))

    def scale(self, scaler: GradScaler, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        outputs = yield None
        if scaler.is_enabled():
            self._gradients.scaled |= {graph.key(root): self._role(scaler) for root in graph.roots(outputs)}

    def unscale(self, scaler: GradScaler, optimizer: Optimizer) -> Generator[Call | None, Any, None]:
        if self._tape.hushed or not scaler.is_enabled():
            yield None
            return
        self._ledger.audit()
        account = self._ledger.open(optimizer)
        self._tape.emit("unscale", account.role, self._role(scaler))
        yield None
        account.mark()

    def step(self, scaler: GradScaler, optimizer: Optimizer, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        if not scaler.is_enabled():
            yield None
            return
        self._ledger.audit()
        account = self._ledger.open(optimizer)
        frozen = self._cast.frozen(optimizer)
        taken = self._tape.emit("step", account.role, self._role(scaler), scaled=True, closure=False, frozen=frozen)
        before = account.steps
        with self._tape.hush():
            yield None
        if account.steps == before:
            self._watch.skip(optimizer, taken.at)
        account.step()

    def update(self, scaler: GradScaler, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        if scaler.is_enabled():
            self._tape.emit("update", self._role(scaler))
        yield None

    def _role(self, scaler: GradScaler) -> Role:
        return self._cast.role("scaler", scaler)

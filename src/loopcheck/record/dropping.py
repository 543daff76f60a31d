"""Dropout that a network's own code calls as a function, in a network that is in eval mode."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from torch import nn
from torch.nn import functional

from loopcheck.api import ATTENTION, DROPOUTS
from loopcheck.loop import Role
from loopcheck.record.patch import Call, wrap
from loopcheck.record.site import Sites
from loopcheck.record.tape import Tape


class Dropping:
    """Hooks on the functions that drop. Who says by himself when they shall, means it."""

    def __init__(self, tape: Tape, sites: Sites) -> None:
        self._tape = tape
        self._sites = sites
        self._roles: dict[type[nn.Module], Role] = {}

    def install(self) -> None:
        for name in DROPOUTS:
            wrap(functional, name, self.dropped)
        if hasattr(functional, ATTENTION):
            wrap(functional, ATTENTION, self.attended)

    def dropped(self, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        share = args[1] if len(args) > 1 else kwargs.get("p", 0.5)
        if len(args) < 3 and "training" not in kwargs and share:
            self._tell("dropout")
        yield None

    def attended(self, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        if args[4] if len(args) > 4 else kwargs.get("dropout_p"):
            self._tell("attention")
        yield None

    def _tell(self, by: str) -> None:
        """The module whose code calls is in eval mode."""
        frame = next(iter(self._sites.frames()), None)
        module = frame and frame.f_locals.get("self")
        if isinstance(module, nn.Module) and not module.training:
            role = self._roles.setdefault(type(module), Role("class", type(module).__name__))
            self._tape.emit("drop", role, gated=False, by=by)

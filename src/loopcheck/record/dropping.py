"""Dropout that a network's own code calls as a function, or makes where it is applied, in a network that is in eval mode."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from torch import nn
from torch.nn import functional

from loopcheck.api import ATTENTION, DROPOUT_LAYERS, DROPOUTS
from loopcheck.loop import Role
from loopcheck.record.patch import Call, wrap
from loopcheck.record.site import Sites
from loopcheck.record.tape import Tape


class Dropping:
    """Hooks on the functions and layers that drop. Who says by himself when they shall, means it."""

    def __init__(self, tape: Tape, sites: Sites) -> None:
        self._tape = tape
        self._sites = sites
        self._roles: dict[type[nn.Module], Role] = {}

    def install(self) -> None:
        for name in DROPOUTS:
            wrap(functional, name, self.dropped)
        if hasattr(functional, ATTENTION):
            wrap(functional, ATTENTION, self.attended)
        for name in DROPOUT_LAYERS:
            wrap(getattr(nn, name), "forward", self.applied)

    def dropped(self, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        share = args[1] if len(args) > 1 else kwargs.get("p", 0.5)
        if len(args) < 3 and "training" not in kwargs and share:
            self._tell("dropout")
        yield None

    def attended(self, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        if args[4] if len(args) > 4 else kwargs.get("dropout_p"):
            self._tell("attention")
        yield None

    def applied(self, layer: nn.Module, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        if layer.training and getattr(layer, "p", False):
            self._tell("layer", layer)
        yield None

    def _tell(self, by: str, layer: nn.Module | None = None) -> None:
        """The module whose code calls is in eval mode: by itself, or through a function that is no method.

        layer: what is called, where that is one, and none that it holds.
        """
        at, (frame, caller) = self._sites.here(), (*self._sites.frames()[:2], None, None)[:2]
        if frame and caller and at.caller and layer is None and "self" not in frame.f_locals:
            at, frame, by = at.caller, caller, "helper"
        module = frame and frame.f_locals.get("self")
        if isinstance(module, nn.Module) and not module.training and not any(each is layer for each in module.modules()):
            role = self._roles.setdefault(type(module), Role("class", type(module).__name__))
            self._tape.emit_at(at, "drop", role, gated=False, by=by)

"""Context managers that are made and dropped again, as if to make them were enough."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import torch

from loopcheck.loop import Role
from loopcheck.record.patch import Call, wrap
from loopcheck.record.site import Sites
from loopcheck.record.tape import Tape


class Discarding:
    """Hooks on what switches autograd off once it is entered, or decorates a function."""

    def __init__(self, tape: Tape, sites: Sites) -> None:
        self._tape = tape
        self._sites = sites

    def install(self) -> None:
        for made in (torch.no_grad, torch.inference_mode):
            wrap(made, "__init__", self.make)

    def make(self, context: Any, mode: Any = True) -> Generator[Call | None, Any, None]:
        if mode is True and self._sites.calls() and (at := self._sites.here()).discards:
            self._tape.emit_at(at, "discard", Role("scope", ""))
        yield None

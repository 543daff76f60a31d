"""Checkpoints: states that are taken of objects, loaded into them, and written to files."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import torch
from torch import nn

from loopcheck.loop import Role
from loopcheck.record.cast import Cast
from loopcheck.record.patch import Call, wrap
from loopcheck.record.tape import Known, Tape
from loopcheck.record.watch import Watch

_DEEPEST = 4
"""Containers in one another that are looked into for the tensors of a state."""


class Checkpoints:
    """Hooks on what takes, loads and writes the state of modules. A state is known by its tensors: a copy has others."""

    def __init__(self, tape: Tape, cast: Cast, watch: Watch) -> None:
        self._tape = tape
        self._cast = cast
        self._watch = watch
        self._of: Known[Role] = Known()
        self._inside = False

    def install(self) -> None:
        wrap(nn.Module, "state_dict", self.take)
        wrap(nn.Module, "load_state_dict", self.load)
        wrap(torch, "save", self.save)

    def take(self, module: nn.Module, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        if self._inside:  # of a module that the module holds
            yield None
            return
        self._inside = True
        try:
            taken = yield None
        finally:
            self._inside = False
        model = self._cast.model(module)
        if model:
            state = self._cast.role("state", taken, (model.role,))
            for tensor in _tensors(taken):
                if not isinstance(tensor, nn.Parameter):
                    self._of.put(tensor, state)
            self._tape.emit("snapshot", state, of="model")
            self._watch.snapshot(list(_tensors(taken)))

    def load(self, module: nn.Module, state_dict: Any = None, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        self._recalled(state_dict)
        model = self._cast.model(module)
        if model:
            at = self._tape.emit("restore", model.role).at
            self._watch.restore(model.role.name, list(_tensors(state_dict)), at)
        yield None

    def save(self, obj: Any = None, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        self._recalled(obj)
        yield None

    def _recalled(self, given: Any) -> None:
        states = dict.fromkeys(state for tensor in _tensors(given) if (state := self._of.get(tensor)))
        if states:
            self._tape.emit("recall", *states)


def _tensors(given: Any, deep: int = _DEEPEST) -> Iterator[torch.Tensor]:
    """The tensors in dictionaries and lists."""
    if isinstance(given, torch.Tensor):
        yield given
    elif deep and isinstance(given, (dict, list, tuple)):
        for each in given.values() if isinstance(given, dict) else given:
            yield from _tensors(each, deep - 1)

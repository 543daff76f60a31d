"""Checkpoints: states that are taken of objects, loaded into them, and written to files."""

from __future__ import annotations

import ast
import dataclasses
import linecache
import os
import re
import shutil
from collections.abc import Callable, Generator, Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import torch
from torch import distributed, nn
from torch.amp import GradScaler
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

from loopcheck.api import HOLDERS, WRAPPING
from loopcheck.loop import Fact, Role
from loopcheck.record.cast import Cast
from loopcheck.record.modules import Modules
from loopcheck.record.patch import Call, wrap, wrap_family
from loopcheck.record.site import Site, Sites
from loopcheck.record.tape import Known, Moment, Tape
from loopcheck.record.watch import Watch
from loopcheck.said.keys import knows_wrappers
from loopcheck.words import PROGRESS, TEMPORARY, spoken_of, words

_DEEPEST = 4
"""Containers in one another that are looked into for the tensors of a state."""


class _Taken(NamedTuple):
    """What a state was taken of, by its kind and identity. copied: it is a copy of that state."""

    kind: str
    owner: int
    copied: bool = False


class Checkpoints:
    """Hooks on what takes, loads and writes the state of modules. A state is known by its tensors: a copy has others."""

    def __init__(self, tape: Tape, sites: Sites, cast: Cast, modules: Modules, watch: Watch) -> None:
        self._tape = tape
        self._sites = sites
        self._cast = cast
        self._modules = modules
        self._watch = watch
        self._of: Known[Role] = Known()
        self._taken: dict[_Taken, tuple[Any, Role]] = {}
        self._file: Known[Role] = Known()
        self.asked: set[Role] = set()
        self._inside = False
        self._writing: dict[Site, dict[str, list[dict[str, Fact]]]] = {}
        self._held_by: dict[str, list[Role]] = {}
        self._gathered: set[Role] = set()

    def install(self) -> None:
        wrap(nn.Module, "state_dict", self.take)
        wrap_family(Optimizer, "state_dict", lambda original: partial(self.take_of, "optimizer"))
        wrap_family(LRScheduler, "state_dict", lambda original: partial(self.take_of, "scheduler"))
        wrap(GradScaler, "state_dict", partial(self.take_of, "scaler"))
        wrap_family(Optimizer, "load_state_dict", lambda original: partial(self.load_of, "optimizer"))
        wrap_family(LRScheduler, "load_state_dict", lambda original: partial(self.load_of, "scheduler"))
        wrap(GradScaler, "load_state_dict", partial(self.load_of, "scaler"))
        wrap(nn.Module, "load_state_dict", self.load)
        wrap(torch, "save", self.save)
        wrap(torch, "load", self.read)
        wrap(dataclasses, "asdict", self.copy)
        for module, name in ((os, "replace"), (os, "rename"), (shutil, "move")):
            wrap(module, name, self.rename)

    def take(self, module: nn.Module, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        if self._inside:  # of a module that the module holds
            yield None
            return
        self._inside = True
        try:
            taken = yield None
        finally:
            self._inside = False
        model = self._modules.meet(module)
        if model:
            if HOLDERS.get(type(module).__name__) == "_fsdp_wrapped_module":
                self._gathered.add(model.role)
            state = self._cast.role("state", taken, (model.role,))
            for tensor in _tensors(taken):
                if not isinstance(tensor, nn.Parameter):
                    self._of.put(tensor, state)
            self._tape.emit("snapshot", state, of="model", **self._around(module))
            self._watch.snapshot(list(_tensors(taken)))

    def take_of(self, kind: str, owner: Any) -> Generator[Call | None, Any, None]:
        if self._inside:
            yield None
            return
        self._inside = True
        try:
            taken = yield None
        finally:
            self._inside = False
        role = self._cast.optimizer(owner) if kind == "optimizer" else self._cast.role(kind, owner)
        self._taken[_Taken(kind, id(owner))] = taken, role
        self._tape.emit("snapshot", Role("state", "", (role,)), of=kind)

    def copy(self, snapshot: Any, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        """A dataclass becomes a dictionary of copies: the states in it are those of the same objects, and their own."""
        copied = yield None
        for name, value in copied.items() if isinstance(copied, dict) else ():
            held = getattr(snapshot, name, None)
            for one, other in zip(_tensors(held), _tensors(value), strict=False):
                if state := self._of.get(one):
                    self._of.put(other, Role("state", "", state.of))
            for of, (taken, role) in [*self._taken.items()]:
                if taken is held:
                    self._taken[of._replace(copied=True)] = value, role

    def read(self, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        held = yield None
        file = Role("file", "")
        for tensor in _tensors(held):
            self._file.put(tensor, file)
        keys = {key for key in held if isinstance(key, str) and words(key) & PROGRESS} if isinstance(held, dict) else set()
        if any(keys & _asked(frame.f_code.co_filename) for frame in self._sites.frames()):
            self.asked.add(file)

    def load(self, module: nn.Module, state_dict: Any = None, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        self._recalled(state_dict)
        model = self._modules.meet(module)
        if model:
            file = next((known for tensor in _tensors(state_dict) if (known := self._file.get(tensor))), None)
            wrapped = bool(self._around(module))
            at = self._tape.emit("restore", model.role, *([file] if file else []), wrapped=wrapped).at
            self._watch.restore(model.role.name, list(_tensors(state_dict)), at)
        yield None

    def load_of(self, kind: str, owner: Any, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        self._tape.emit("restore", self._cast.optimizer(owner) if kind == "optimizer" else self._cast.role(kind, owner))
        with self._tape.hush():
            yield None

    def save(self, obj: Any = None, f: Any = None, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        self._recalled(obj, saved=True)
        held = dict.fromkeys(self._held(obj))
        if held:
            facts: dict[str, Fact] = {"holds": ", ".join(sorted({role.kind for role in held}))}
            if besides := spoken_of(_keys(obj, lambda each: not any(self._held(each)))):
                facts["besides"] = ", ".join(besides)
            if (rank := _rank()) is not None:
                facts |= {"gathered": True} if self._gathered & held.keys() else {}
                facts["ranks"] = rank > 0 and str(rank) not in re.findall(r"\d+", os.path.basename(str(f)))
            taken = self._tape.emit("save", *held, **facts)
            path = str(f if isinstance(f, (str, os.PathLike)) else getattr(f, "name", ""))
            self._write(path, taken, list(held))
            self._watch.save(path, taken.at)
        yield None

    def _write(self, path: str, taken: Moment, held: list[Role]) -> None:
        """Whether a file is written again from where it was written before, or another one each time."""
        self._held_by[path] = held
        written = self._writing.setdefault(taken.at, {})
        written.setdefault(path, []).append(taken.facts)
        before = written[path]
        if path and len(before) > 1 and words(os.path.basename(path)).isdisjoint(TEMPORARY):
            for facts in before:
                facts["lasting"] = True
        if "" not in written and len(written) > 1 and all(len(each) == 1 for each in written.values()):
            for (facts,) in written.values():
                facts["lasting"] = False

    def rename(self, src: Any, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        yield None
        if held := self._held_by.get(str(src)):
            self._tape.emit("rename", *held)

    def _around(self, module: nn.Module) -> dict[str, Fact]:
        """Where a module is a wrapper, and nobody takes what its keys begin with off them, the attribute that has the model."""
        held = HOLDERS.get(type(module).__name__)
        files = {frame.f_code.co_filename for frame in self._sites.frames()}
        keyed = held in WRAPPING.values() and not any(knows_wrappers("".join(linecache.getlines(file))) for file in files)
        return {"wrapped": held} if held and keyed else {}

    def _held(self, given: Any, deep: int = _DEEPEST) -> Iterator[Role]:
        """The objects whose states are in what is saved."""
        for state in dict.fromkeys(state for tensor in _tensors(given) if (state := self._of.get(tensor))):
            yield state.of[0]
        if isinstance(given, nn.Module):
            model = self._modules.meet(given)
            yield from [model.role] if model else []
        if deep and isinstance(given, dict):
            yield from (role for state, role in self._taken.values() if state is given)
            for each in given.values():
                yield from self._held(each, deep - 1)

    def _recalled(self, given: Any, saved: bool = False) -> None:
        states = dict.fromkeys(state for tensor in _tensors(given) if (state := self._of.get(tensor)))
        if states:
            self._tape.emit("recall", *states, saved=saved)


def _keys(given: Any, of: Callable[[Any], bool]) -> Iterator[object]:
    """The keys of a checkpoint whose values are of this kind."""
    if isinstance(given, dict):
        yield from (key for key, value in given.items() if of(value))


def _rank() -> int | None:
    """Which process of several this is."""
    several = distributed.is_available() and distributed.is_initialized() and distributed.get_world_size() > 1
    return distributed.get_rank() if several else None


@cache
def _asked(file: str) -> frozenset[str]:
    """The keys that the code of a file takes something out by: `checkpoint["epoch"]`, `checkpoint.get("epoch", 0)`."""
    found: set[object] = set()
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return frozenset()
    fields = {each.name: _fields(each) for each in ast.walk(tree) if isinstance(each, ast.ClassDef)}
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(slice=ast.Constant(value=key), ctx=ast.Load()):
                found.add(key)
            case ast.Call(func=ast.Attribute(attr="get" | "pop"), args=[ast.Constant(value=key), *_]):
                found.add(key)
            case ast.Call(func=ast.Name(id=name), keywords=[ast.keyword(arg=None)]):  # `Snapshot(**torch.load(path))`
                found |= fields.get(name, set())
    return frozenset(key for key in found if isinstance(key, str))


def _fields(node: ast.ClassDef) -> set[str]:
    """The fields of a dataclass."""
    return {each.target.id for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)}


def _tensors(given: Any, deep: int = _DEEPEST) -> Iterator[torch.Tensor]:
    """The tensors in dictionaries and lists."""
    if isinstance(given, torch.Tensor):
        yield given
    elif deep and isinstance(given, (dict, list, tuple)):
        for each in given.values() if isinstance(given, dict) else given:
            yield from _tensors(each, deep - 1)

"""Loaders and samplers: made, told the epoch, passed over."""

from __future__ import annotations

import inspect
import linecache
import sys
import weakref
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor
from torch.utils.data import DataLoader, Dataset, DistributedSampler, IterableDataset, RandomSampler, Sampler, SequentialSampler
from torch.utils.data.dataloader import _BaseDataLoaderIter

from loopcheck.loop import Fact, Role
from loopcheck.record.cast import Cast
from loopcheck.record.patch import Call, Patches, replace, wrap
from loopcheck.record.site import Site
from loopcheck.record.tape import Known, Moment, Tape
from loopcheck.record.watch import Watch
from loopcheck.said.mixing import in_order, mixes
from loopcheck.said.sharding import hands_out_all

MOST_BATCHES = 10_000
"""Of a pass; one that is longer is not looked at."""


@dataclass(frozen=True)
class Batches:
    """What the batches of a pass came to so far. sizes: how many samples each has. losses: the mean losses computed of them."""

    sizes: list[int] = field(default_factory=list)
    losses: list[Tensor] = field(default_factory=list)


class Data:
    """Hooks on DataLoader, its iterators and DistributedSampler.

    passes: the `iterate` events, by the number of the pass. over: the `exhaust` events of those that came to their end. told:
    the epochs that each sampler was given. sets: the number of the data set that each loader is of. batches: of the passes that
    may yet go on, by their numbers. on_over: who is told of passes that came to their end.
    """

    def __init__(self, tape: Tape, cast: Cast, watch: Watch) -> None:
        self._tape = tape
        self._cast = cast
        self._watch = watch
        self._signature = inspect.signature(DataLoader.__init__)
        self._of: Known[int] = Known()
        self.passes: list[Moment] = []
        self.over: dict[int, Moment] = {}
        self.told: dict[Role, list[int]] = {}
        self.sets: dict[Role, int] = {}
        self.batches: dict[int, Batches] = {}
        self.on_over: list[Callable[[int], None]] = []
        self._numbers: Known[int] = Known()
        self._stored: dict[Role, bool] = {}
        self._with: Known[Role] = Known()
        self._instead: Known[Role] = Known()

    def install(self) -> None:
        wrap(DataLoader, "__init__", self.make)
        wrap(DataLoader, "__iter__", self.iterate)
        replace(_BaseDataLoaderIter, "__next__", self._drawing)
        wrap(_BaseDataLoaderIter, "_next_index", self.index)
        wrap(DistributedSampler, "__init__", self.make_sampler)
        wrap(DistributedSampler, "set_epoch", self.set_epoch)

    def make(self, loader: DataLoader[Any], *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        given = self._given(loader, args, kwargs)
        taken = self._with.get(given.get("batch_sampler"))
        if taken is not None:  # a framework has taken that loader over, and makes another in its place
            self._instead.put(loader, taken)
            yield None
            return
        sampler = given.get("sampler", getattr(given.get("batch_sampler"), "sampler", None))
        role = self._cast.role("loader", loader, (self._cast.role("sampler", sampler),) if sampler is not None else ())
        facts: dict[str, Fact] = {"sampler": given.get("sampler") is not None, "shuffle": bool(given.get("shuffle"))}
        at = self._tape.sites.here(making=loader)
        self._tape.emit_at(at, "build", role, **facts)
        if "shuffle" not in given and sampler is None:
            self._stored[role] = self._as_stored(given.get("dataset"), at.file)
        self._streamed(given, at)
        yield None
        if loader.batch_sampler is not None and loader.batch_sampler is not given.get("batch_sampler"):
            self._with.put(loader.batch_sampler, role)
        if self._stored.get(role) and len(loader) == 1:
            self._stored[role] = False

    def _as_stored(self, dataset: Any, maker: str) -> bool:
        """Whether a data set has its samples in an order that nobody has mixed: torchvision's, or the program's own."""
        kind = type(dataset)
        ours = kind.__module__.startswith("torchvision.datasets") or self._tape.sites.defines(kind)
        if not isinstance(dataset, Dataset) or isinstance(dataset, IterableDataset) or not ours or in_order(kind.__name__):
            return False
        files = {maker, getattr(sys.modules.get(kind.__module__), "__file__", None) or maker}
        return not any(mixes("".join(linecache.getlines(file))) for file in files)

    def _streamed(self, given: dict[str, Any], at: Site) -> None:
        """A stream that is the same in each of several workers."""
        kind = type(given.get("dataset"))
        alone = int(given.get("num_workers") or 0) < 2 or given.get("worker_init_fn") is not None
        if alone or not issubclass(kind, IterableDataset) or not self._tape.sites.defines(kind):
            return
        family = [each for each in kind.__mro__ if self._tape.sites.defines(each)]
        files = [getattr(sys.modules[each.__module__], "__file__", None) or at.file for each in family]
        if all(hands_out_all("".join(linecache.getlines(file)), each.__name__) for file, each in zip(files, family, strict=True)):
            self._tape.emit_at(at, "duplicate", Role("class", kind.__name__))

    def make_sampler(self, sampler: Sampler[Any], *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        yield None
        self._tape.emit_at(self._tape.sites.here(making=sampler), "build", self._cast.role("sampler", sampler))

    def iterate(self, loader: DataLoader[Any]) -> Generator[Call | None, Any, None]:
        sampler = getattr(loader.batch_sampler, "sampler", loader.sampler)
        facts: dict[str, Fact] = {"distributed": isinstance(sampler, DistributedSampler)}
        shuffled = _shuffled(sampler)
        if shuffled is not None:
            facts["shuffled"] = shuffled
        role = self._instead.get(loader) or self._cast.role("loader", loader)
        known = self._numbers.get(loader.dataset)
        self.sets[role] = self._numbers.put(loader.dataset, len(self.sets)) if known is None else known
        if shuffled is False and self._stored.get(role):
            facts["stored"] = True
        taken = self._tape.emit("iterate", role, **facts)
        self.passes.append(taken)
        self._watch.order(loader)
        number = len(self.passes) - 1
        iterator = yield None
        if (before := self._of.get(iterator)) is not None:  # workers that stay go on with it
            self.batches.pop(before, None)
        self._of.put(iterator, number)
        self.batches[number] = Batches()
        weakref.finalize(iterator, self.batches.pop, number, None).atexit = False

    def _drawing(self, original: Callable[[Any], Any], own: Patches) -> Callable[[Any], Any]:
        def __next__(iterator: Any) -> Any:  # noqa: N807
            if not own.live:
                return original(iterator)
            number = self._of.get(iterator)
            self._tape.passes -= {number}
            try:
                batch = original(iterator)
            except StopIteration:
                ahead = not self._tape.sites.direct()  # a library may hold batches that it has yet to hand on
                if number is not None and number not in self.over and not ahead:
                    self.over[number] = self._tape.emit("exhaust", *self.passes[number].event.on)
                    self._ended(number, own)
                raise
            if number is not None:
                self._tape.drawn(number)
            return batch

        return __next__

    def _ended(self, number: int, own: Patches) -> None:
        try:
            for look in self.on_over:
                look(number)
        except Exception as error:
            own.failed(error)

    def index(self, iterator: Any) -> Generator[Call | None, Any, None]:
        batch = yield None
        known = self._of.get(iterator)
        if known in self.batches and isinstance(batch, (list, tuple)):
            sizes = self.batches[known].sizes
            if len(sizes) <= MOST_BATCHES:
                sizes.append(len(batch))
        self._watch.indices(len(self.passes) - 1 if known is None else known, batch)

    def set_epoch(self, sampler: Any, epoch: int) -> Generator[Call | None, Any, None]:
        role = self._cast.role("sampler", sampler)
        self._tape.emit("set_epoch", role)
        self.told.setdefault(role, []).append(epoch)
        yield None

    def _given(self, loader: DataLoader[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        try:
            return self._signature.bind(loader, *args, **kwargs).arguments
        except TypeError:
            return {}  # the constructor will say what is wrong


def _shuffled(sampler: Any) -> bool | None:
    """Its order is meant to differ between passes; None for a sampler of unknown kind."""
    if isinstance(sampler, DistributedSampler):
        return bool(sampler.shuffle)
    return {RandomSampler: True, SequentialSampler: False}.get(type(sampler))

"""Models: applied, and switched between train and eval mode."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace as replaced
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.optim import Optimizer

from loopcheck.loop import Event, Fact, Role
from loopcheck.record import graph
from loopcheck.record.cast import Cast, Model, switches, unwrapped
from loopcheck.record.patch import Call, Patches, replace, wrap
from loopcheck.record.tape import Method, Tape
from loopcheck.record.watch import Watch

_INPUT_NODES = 50
"""How far back from a model's input another model's output is looked for."""


class _Alive:
    """Lives as long as the autograd node that it is put into."""

    __slots__ = ("__weakref__",)


class Modules:
    """Hooks on Module.__call__ and Module.train; only the outermost call counts.

    learned: the forwards whose output was backpropagated, or should have been, each with the number of its batch, or of the
    backward where batches come from no loader. on_first: who looks at a model when it is seen for the first time. on_forward: who
    looks around before one is applied. on_optimizer: who looks at an optimizer that is made of models. synced: the models that
    several processes have, each with whether their gradients are averaged in the backward of its last forward. before: the
    forwards that the inputs of each came from. applied: the model whose forward is going on.
    differentiates: it has asked for gradients itself. replicated: the numbers of the
    models of several processes and of their parts.
    """

    def __init__(self, tape: Tape, cast: Cast, watch: Watch) -> None:
        self._tape = tape
        self._cast = cast
        self._watch = watch
        self._switching = False
        self._plainly = False
        self._outputs: dict[graph.Key, Event] = {}
        self.before: dict[Event, list[Event]] = {}
        self._recent: list[Event] = []
        self._alive: list[tuple[weakref.ref[_Alive], Event]] = []
        self.busy = 0
        self.applied: Role | None = None
        self.differentiates = False
        self.learned: dict[Event, int] = {}
        self._turns = 0
        self.synced: dict[Role, bool] = {}
        self.replicated: set[int] = set()
        self.on_first: list[Callable[[nn.Module], None]] = []
        self.on_forward: list[Callable[[], None]] = []
        self.on_optimizer: list[Callable[[Optimizer, Role, list[nn.Module]], None]] = []

    def install(self) -> None:
        wrap(nn.Module, "train", self.switch)
        wrap(nn.Module, "eval", self.evaluate)
        replace(nn.Module, "__call__", self._calling)

    def meet(self, module: nn.Module) -> Model | None:
        """The model, with a `build` event if it is seen for the first time."""
        new = not self._cast.knows(module)
        model = self._cast.model(module)
        if model and new:
            self._tape.emit("build", model.role, training=module.training)
            self._meet(model, module)
        return model

    def _meet(self, model: Model, module: nn.Module) -> None:
        self._watch.model(model.role.name, module)
        for look in self.on_first:
            look(unwrapped(module))

    def evaluate(self, module: nn.Module) -> Generator[Call | None, Any, None]:
        """It calls `train(False)`."""
        before, self._plainly = self._plainly, True
        try:
            yield None
        finally:
            self._plainly = before

    @contextmanager
    def occupied(self) -> Iterator[None]:
        """While this lasts, calls of modules belong to what is going on."""
        self.busy += 1
        try:
            yield
        finally:
            self.busy -= 1

    def behind(self, losses: Iterable[Tensor]) -> tuple[Role, ...]:
        """The models that losses came from. Their forwards are learned from, and so are those that fed them."""
        work = [self._outputs[key] for key in graph.reached(graph.roots(losses), self._outputs)]
        roles = tuple(role for event in work for role in event.on)
        while work:
            event = work.pop()
            if event not in self.learned:
                self.learned[event] = self._tape.draws or self._turns
                work += self.before.get(event, ())
        return roles

    def of(self, output: Tensor) -> tuple[Role, ...]:
        """The models that a tensor came from, whatever becomes of it."""
        found = [self._outputs[key] for key in graph.reached(graph.roots(output), self._outputs)]
        return tuple(dict.fromkeys(role for event in found for role in event.on))

    def alive(self) -> set[Event]:
        """The forwards that were learned from and whose graphs are still there."""
        self._alive = [each for each in self._alive if each[0]() is not None]
        return {event for _, event in self._alive} & self.learned.keys()

    def lessons(self, values: object) -> dict[int, Event]:
        """The batches of the forwards that these values came from and that were learned from, each with one of those."""
        found = [self._outputs[key] for key in graph.reached(graph.roots(values), self._outputs)]
        return {self.learned[event]: event for event in found if event in self.learned}

    def lost(self) -> tuple[Role, ...]:
        """The models whose output since the last backward no loss came from: those that a loss cut from the graph is of, or if
        none has a graph, those that were applied without.

        Their forwards were meant to be learned from, and count as that.
        """
        left = [event for event in self._recent if event not in self.learned]
        left = [event for event in left if event.facts.get("grad")] or left
        self.learned.update(dict.fromkeys(left, self._tape.draws or self._turns))
        return tuple(dict.fromkeys(role for event in left for role in event.on))

    def turn(self) -> None:
        """A backward is over, and what is applied from now on is for the next."""
        self._recent.clear()
        self._turns += 1

    def switch(self, module: nn.Module, mode: bool = True) -> Generator[Call | None, Any, None]:
        if self._switching:
            yield None
            return
        known = self._cast.knows(module)
        model = self._cast.model(module)
        if model:
            self._cast.look_into(module)
            if mode:
                self._tape.emit("train", model.role, apart=self._apart(model, mode))
            else:
                moded = model.moded and switches(module)
                facts: dict[str, Fact] = {"moded": moded, "flagged": not self._plainly, "apart": self._apart(model, mode)}
                self._tape.emit("evaluate", model.role, **facts, partly=False)
        if model and not known:
            self._meet(model, module)
        self._switching = True
        try:
            yield None
        finally:
            self._switching = False
            for inside, each in self._cast.living():
                if model and each.modules <= model.modules:
                    each.mode = inside.training

    def _apart(self, model: Model, mode: bool) -> bool:
        """Whether a model that is put in a mode is a part of one that is in the other."""
        return any(model.modules < each.modules and each.mode is not mode for _, each in self._cast.living())

    def _calling(self, original: Callable[..., Any], own: Patches) -> Callable[..., Any]:
        def __call__(module: nn.Module, *args: Any, **kwargs: Any) -> Any:  # noqa: N807
            if torch.compiler.is_compiling() or self.busy or not own.live:
                return original(module, *args, **kwargs)
            model = self._about_to_forward(module, own)
            if model is None:
                return original(module, *args, **kwargs)
            self.applied, self.differentiates = model.role, False
            try:
                with self.occupied():
                    output = original(module, *args, **kwargs)
            finally:
                self.applied = None
            try:
                self._forward(model, module, [args, kwargs], output)
            except Exception as error:
                own.failed(error)
            return output

        return __call__

    def _about_to_forward(self, module: nn.Module, own: Patches) -> Model | None:
        try:
            model = self.meet(module)
            if model:
                self._by_hand(model, unwrapped(module))
                for look in self.on_forward:
                    look()
                self._watch.before_forward(module)
            return model if own.live else None
        except Exception as error:
            own.failed(error)
            return None

    def _by_hand(self, model: Model, module: nn.Module) -> None:
        """The attribute was set, as Lightning does after an evaluation: no call could be seen."""
        if module.training != model.mode:
            model.mode = module.training
            at = replaced(self._tape.sites.here(), text="training = …")
            if module.training:
                self._tape.emit_at(at, "train", model.role, apart=self._apart(model, True))
            else:
                apart = self._apart(model, False)
                self._tape.emit_at(at, "evaluate", model.role, moded=model.moded, apart=apart, partly=False)

    def _methods(self, part: nn.Module) -> tuple[Method, ...]:
        """The methods of models around that this module is a part of."""
        number = self._cast.number(unwrapped(part))
        found = []
        for frames, me in self._tape.sites.methods():
            whole = self._cast.model(me) if isinstance(me, nn.Module) and me is not part and self._cast.knows(me) else None
            if whole and number in whole.modules:
                found.append(Method(whole.role, frames))
        return tuple(found)

    def _forward(self, model: Model, module: nn.Module, inputs: list[Any], output: Any) -> None:
        roots = graph.roots(output)
        device = next((each.device.type for each in graph.tensors(output)), "cpu")
        halved = str(torch.get_autocast_dtype(device)).removeprefix("torch.") if torch.is_autocast_enabled(device) else None
        precision: dict[str, Fact] = {"precision": halved} if halved else {}
        past: dict[str, Fact] = {}
        if self._cast.number(unwrapped(module)) in self.replicated:
            past["bypasses"] = unwrapped(module) is module
        if any(isinstance(each, _BatchNorm) and each.training for each in module.modules()):
            past["normalizes"] = True
        if not self.differentiates:  # else it cannot do without a graph
            past["grad"] = bool(roots)
        moded = model.moded and (not module.training or switches(module))
        facts: dict[str, Fact] = {"moded": moded, **precision, **past}
        at = self._tape.sites.here()
        taken = self._tape.take("forward", (model.role,), at, facts, self._methods(module))
        self._recent.append(taken.event)
        before = graph.reached(graph.roots(inputs), self._outputs, _INPUT_NODES)
        self.before[taken.event] = [self._outputs[key] for key in before]
        self._outputs |= {graph.key(root): taken.event for root in roots}
        for root in roots:
            root.metadata[_Alive] = alive = _Alive()
            self._alive.append((weakref.ref(alive), taken.event))
        self._watch.after_forward(model.role.name, module, output, taken.at)

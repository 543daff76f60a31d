"""What calls mean: pages of rows, one page for each framework.

A page is a module of this package with these tables, any of which may be missing:

    FUNCTIONS: qualified name → row, `torch.nn.utils.clip_grad_norm_`; `torch.optim.*` is any of them, whose name is not known,
        and `TABLE.*` of a table
    FAMILIES: (pattern of qualified names, row), for what is too many to list: `torchvision.models.*`
    LEARNING: patterns of the qualified names of classes whose objects are layers with something to learn
    METHODS: (kind of object, method name) → row, `("optimizer", "step")`; an object that is called has `"__call__"`
    ATTRIBUTES: (kind of object, attribute) → kind of the object that it is, `("loader", "sampler")`; or a function from what
        the object's construction kept to the attribute's value, None where that is not known
    PARTS: attribute that is a part of a ready-made network → function from what the network's construction kept to what is known
        of the part
    BASES: qualified name of a class → kind of object that its subclasses are
    NAMED: word in a name → kind of object that is so called, where methods of that kind are used
    USED: methods → kind of object that has all of these, whatever it is called
    TENSORS: attribute of a tensor → function from the tensor to what that is worth, None where that is not known
    ABOUT: methods of tensors that tell a number of one, and hand out nothing of it
    ASSUMED: method → kind of value (`tensor`, `model`, `optimizer`) that whatever has it must be, if nothing else is known
    AS_MODULE: what is done with modules alone
    MODES: (kind of object, attribute) that says whether it is in train mode
    SWITCHED_BY: (kind of object, method) that every switch of its mode goes through; one that is replaced keeps it as it is
    NAMED_BASES: last name of a class out of sight → kind of object that its subclasses are
    CRITERIA: full name of a loss, of what a class makes with `()` → the function of torch that it computes of its first argument
    SUMMING: keyword → literal, of losses that are sums over samples
    READERS: functions that return what a checkpoint holds
    SWITCHES: functions that turn autograd on or off from there on
    PURE: packages that do nothing to gradients, modes or schedules but what the tables say
    DIFFERENTIABLE: packages as pure whose functions of tensors keep the graph
    WRAPPING: what data is wrapped in to be computed with, where tensors alone are not
    SERVING: packages whose objects call, once the script has run, the functions that they decorate

A row is given the call and says what it is worth, after emitting the events that it stands for. The rows below cover most
of what a framework does; a page may hold rows of its own. What a framework runs by itself, loop and all, a page writes out in
Python, and `Python` is the row. A new framework is a new page, and nothing else. No two pages say what one thing means.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Protocol, TypeAlias, cast

from loopcheck.api import CRITERIA
from loopcheck.loop import Fact, Role
from loopcheck.misuse import Misuse
from loopcheck.read import own
from loopcheck.read.domain.choices import Activation
from loopcheck.read.domain.parts import tensor_in
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import NONE, Const, Items, Object, Params, Scope, Stream, Tensor, Value
from loopcheck.words import holds_some, of_annotation


class Call(Protocol):
    """A call as a row sees it. me: the object whose method is called."""

    name: str
    me: Value | None
    args: tuple[Value, ...]
    keywords: Mapping[str, Value]
    complete: bool  # no * or ** argument hides anything
    guards: tuple[object, ...]  # the tests of the `if`s around

    def get(self, index: int, name: str) -> Value | None:
        """The argument at this position or of this name, None where it is not given. index: 99 of what has a name alone."""

    def emit(
        self,
        verb: str,
        on: Iterable[Role],
        facts: Mapping[str, Fact | None] | None = None,
        open: bool = False,
        names: Mapping[str, str] | None = None,
    ) -> None:
        """Something happens here. A fact that is None is unknown. names: words for sentences and fixes."""

    def backward(self, loss: Value | None, facts: Mapping[str, Fact | None], names: Mapping[str, str] | None = None) -> Value:
        """A loss is backpropagated. facts: what is known better than by looking at the loss. names: as in `emit`."""

    def build(
        self,
        kind: str,
        of: Iterable[Value],
        facts: Mapping[str, Fact | None],
        keeps: Mapping[str, object],
        names: Mapping[str, str] | None = None,
    ) -> Value:
        """A new object, and its `build` event. keeps: for the rows of its methods. names: as in `emit`."""

    def factor(self, function: Value | None, step: float = 0.0) -> float | None:
        """What a function of the number of a step returns for one, the first by itself; None where that cannot be told."""

    def gives_rate(self, function: Value | None, rate: Value) -> bool | None:
        """Whether a function of the number of a step returns this learning rate, or multiples of it."""

    def counts_on(self, function: Value | None) -> bool:
        """Whether a function of the number of a step adds to it what a file says: it goes on where that was."""

    def counts_from_one(self, function: Value | None) -> bool:
        """Whether a function of the number of a step takes one from it."""

    def span_of(self, function: Value | None) -> Term | None:
        """What a function of the number of a step measures this by, the length of a schedule; None where that cannot be told."""

    def roles(self, value: Value | None, kind: str) -> list[Role]:
        """The objects in a value, judged to be of this kind where they are not known."""

    def objects(self, values: Iterable[Value]) -> list[Role]:
        """The objects in values, of unknown ones those that their use or name tells."""

    def when(self, value: Value | None, happens: Callable[[], object], otherwise: Callable[[], object] = lambda: None) -> None:
        """What happens where this argument is true, and otherwise; where it is not given, neither."""

    def apart(self, models: Iterable[Role], training: bool) -> bool | None:
        """Whether one of these, put in train mode or in eval mode, is a part of a model that is in the other here; None where
        nobody knows."""

    def switched(self, models: Iterable[Role], training: bool) -> None:
        """These models are in train mode from here on, or in eval mode."""

    def in_train_mode(self, value: Value | None) -> bool | None:
        """Whether a model is in train mode here, that it was made in or put in; None where that cannot be told."""

    def moded(self, value: Value | None) -> bool | None:
        """Whether a model's layers differ between train and eval mode; None where that cannot be told."""

    def computes_only(self, value: Value) -> bool:
        """Whether a module has nothing to learn: a layer without parameters, or an object of a class that makes none."""

    def by_batch(self, value: Value | None) -> bool | None:
        """Whether a model holds batch norms; None where that cannot be told."""

    def window(self, size: str, then: Value | None = None) -> Value:
        """What is true on the last micro-batch of a window of this size, as it is written, and on no other. then: what has this
        outcome on the next pass."""

    def window_before(self, size: str) -> Value:
        """What is true where the micro-batch of the pass before has ended a window, and on the first pass."""

    def keep(self, value: Value | None, **known: object) -> None:
        """What is known of a value's objects from here on, besides what their construction kept.

        waits: a value without whose truth their methods do nothing.
        """

    def keeps(self, value: Value | None, name: str) -> object:
        """What the construction of a value's objects kept under this name, where all kept the same; else None."""

    def hold(self, name: str, value: Value) -> None:
        """The object whose method is called has this attribute from here on."""

    def bind(self, value: Value, name: str, to: Value) -> None:
        """An attribute of any object is bound, as an assignment does."""

    def holds(self, value: Value, name: str) -> bool:
        """Whether somebody in sight has given an object this attribute."""

    def either(self, flag: Value, then: Value, other: Value) -> Value:
        """The one value where the flag is true, the other where it is not."""

    def each(self, value: Value, use: Callable[[Value], Value]) -> Value:
        """The value is used; one of two is, each under the test that decides."""

    def goes_on_with(self, file: Term) -> None:
        """A checkpoint is written to a file of this name: where the run has begun from that, it goes on from itself."""

    def file_of(self, value: Value | None) -> Role | None:
        """The file that a value was read from; None of one that was not."""

    def emit_of_left(self, verb: str, value: Value, facts: Mapping[str, Fact | None]) -> None:
        """Something happens here to the states that a pass before has left in a variable: which these are is known when the loop
        is read."""

    def runs(self, number: Value) -> bool | None:
        """Whether the loops around come here this many times in all; None where that cannot be told."""

    @property
    def told_apart(self) -> bool:
        """Whether a test around asks which of several kinds the object is, or which was chosen."""

    @property
    def sought(self) -> bool:
        """Whether a test around asks if there is such an object: `if hasattr(part, "scheduler"): part.scheduler.step()`."""

    def asks_for(self, attribute: str) -> bool:
        """Whether a test around, or one that let through to here, asks for what an object has under this name."""

    def by_every_rank(self, path: Value | None, together: Collection[object] = ()) -> bool | None:
        """Whether all processes of several come here to write this file; None where that cannot be told.

        together: functions that all of them are in.
        """

    @property
    def functions(self) -> frozenset[object]:
        """The functions around."""

    @property
    def launched(self) -> bool:
        """Whether the program asks its environment which of several processes it is."""

    @property
    def unasked(self) -> bool:
        """Whether nobody in sight calls the function that this happens in, or the one from which that is called."""

    def join_group(self, size: Value | None) -> None:
        """This process is one of a group from here on. size: how many they are, where that is given."""

    @property
    def by_itself(self) -> bool:
        """Whether the program joins other processes on other ways alone, under the other outcome of a test."""

    def varies(self, value: Value | None, inside: bool = False) -> bool:
        """Whether a value is another one on each pass of a loop around: `optimizers[name]` of `for name in optimizers`. inside:
        of the innermost one."""

    def stored(self, dataset: Value | None) -> bool | None:
        """Whether a data set has its samples in an order that nobody has mixed; None where that cannot be told."""

    def stream(self, dataset: Value | None) -> str:
        """Of a data set that is a stream, and the same in every process, its class; else empty."""

    def computed_here(self, dataset: Value | None) -> bool:
        """Whether a data set is of the project's, and says itself how a sample is made."""

    def lasts(self, value: Value) -> bool | None:
        """Whether a value is the same on every pass of all loops around; None where that cannot be told."""

    @property
    def known(self) -> Iterable[Role]:
        """The objects of which something is kept."""

    def pure(self) -> Value:
        """The value of a call without effects: the same for the same arguments."""

    def trainable(self) -> Value:
        """A tensor by itself, other than any before, that is made with a gradient of its own: an optimizer may be given it."""

    def question(self) -> Value:
        """The value of a question that has one answer for good: of the same arguments the same on every pass of a loop."""

    def count_of(self, name: str) -> Value:
        """How many there are in what it is given, which is called so: the name says what is counted."""

    def of_file(self) -> Value:
        """The value of a call without effects that is the same all over this file, and another one in the next."""

    def item(self, value: Value, index: Value) -> Value:
        """`value[index]`."""

    def attribute(self, value: Value, name: str) -> Value:
        """`value.name`."""

    def invoke(self, function: Value, args: tuple[Value, ...], keywords: Mapping[str, Value] | None = None) -> Value:
        """The function is called here, with these arguments."""

    def is_layer(self, value: Value | None) -> bool:
        """Whether a test around says that a value is a layer of a class of torch: `if isinstance(part, nn.BatchNorm2d)`."""

    def is_of(self, value: Value, cls: Value) -> bool | None:
        """Whether an object is of a class of the project; None where that cannot be told."""

    def module(self, name: str) -> Value:
        """The module of this name, the project's or a library's."""

    def define(self, code: str, name: str) -> Value:
        """The function or class of this name that Python code defines."""

    def unknown(self, label: str, called: str = "") -> Value:
        """A value that nothing is known of, but perhaps what a program calls it."""

    def iterator(self, over: Value) -> Value:
        """An iterator over the first argument, with which a pass over it begins where that is a loader."""

    def draw(self, stream: Stream, element: Value) -> None:
        """The loop around takes an element of this, which is that one."""

    def copy(self, value: Value) -> Value:
        """A copy of what is not known."""

    def differentiated(self, values: Iterable[Value]) -> None:
        """Gradients of these are asked for by other means than a backward: what computed them is not merely evaluated."""

    def freeze(self, models: Iterable[Role], frozen: bool | None) -> None:
        """The parameters of these models need no gradient any more, or need it again; None where that is the user's choice."""

    def says(self, function: Value, names: Set[str]) -> bool | None:
        """Whether a function of the project has any of these names in it, or one that it names; None where it is out of sight."""

    def for_each_part(self, function: Value) -> bool:
        """A function is called with each part of the network whose method this is; False where it is out of sight."""

    def some_of(self, models: Value) -> Value:
        """Some of the layers of a network, or of the networks of a list: nobody knows which."""

    def attached(self, whole: Role, part: Value) -> None:
        """A model holds one more part from here on, of which an optimizer that was made before knows nothing."""

    def take(self, params: Params) -> None:
        """An optimizer takes these parameters, which fails where there are none."""

    def left_out(self, params: Params) -> frozenset[Role]:
        """The frozen models around parameters that are not among them, or not for they need no gradient."""

    def once(self, params: Params) -> Params:
        """These, from a generator that is made here."""

    def spend(self, value: Value | None) -> bool:
        """Generators in a value hand out what they have; whether one had done so before."""

    def still(self, models: Iterable[Role]) -> None:
        """Some parameters of these models need no gradient."""

    def may_be_frozen(self, value: Value) -> bool:
        """Whether it is a network of which no parameter may need a gradient."""

    def frozen(self, optimizers: Iterable[Role]) -> bool | None:
        """Whether parameters of what these train were told to need no gradient; None where some may have been."""

    def computed(self, tensor: Tensor) -> Value:
        """What is computed of a tensor with these arguments: it may have a graph, even if the tensor was cut from its own."""

    def activation(self, how: str, given: Tensor | None = None) -> Activation:
        """What is put through a function that is applied here, or a layer that is made here, was put through last.

        given: what that is.
        """

    def of_probabilities(self, logged: Tensor) -> Tensor:
        """The logarithm of what was put through an activation twice: the second has taken probabilities for logits, which is told
        where a loss of it goes backward."""

    def take_numbers(self, tensor: Tensor, as_tensor: bool = False) -> None:
        """The numbers of a tensor are taken. as_tensor: into another tensor, of which a loss may be made."""

    def write_out(self, values: Iterable[Value]) -> None:
        """Values are put into a text or a picture, for people to look at."""
        ...

    def without_graph(self, tensor: Tensor) -> None:
        """It is not known that what a model put out has a graph, if that is what this is."""

    def let_go(self, tensor: Tensor) -> None:
        """A tensor loses its graph where it stands, whoever holds it."""

    def leaf(self, tensor: Tensor) -> None:
        """A tensor needs a gradient of its own: what is computed of it from here on has a graph."""

    @property
    def scales(self) -> bool:
        """Whether the code around speaks of a loss scale, or of a type that needs none."""

    @property
    def for_gpu(self) -> bool:
        """Whether the code around names a GPU to compute on."""

    @property
    def by_batch_here(self) -> bool:
        """Whether the innermost loop around takes its batches from a loader, and neither a test of a count nor an exception
        decides."""

    @property
    def optimizers(self) -> Iterable[Role]:
        """The optimizers that there are."""

    @property
    def grad(self) -> bool | None:
        """Whether autograd records here; None where that cannot be told."""

    @property
    def loops(self) -> frozenset[Term]:
        """The loops around."""

    @property
    def variables(self) -> Mapping[str, Value]:
        """The variables of the function that calls."""

    def text(self, index: int, name: str) -> str:
        """An argument as it is written, empty where it is not given."""

    def formula(self, index: int, name: str) -> str:
        """The same; of a variable what it was assigned last before, in this function."""

    @property
    def receiver(self) -> str:
        """What the method is called on, as it is written."""

    @property
    def wrapper(self) -> str:
        """Where the method is called on a wrapper around a model, the attribute under which that has the model; else empty."""

    @property
    def options(self) -> str:
        """All arguments as they are written."""

    def on(self, me: Value) -> Call:
        """The same call, as the method of another object."""

    def fields(self, value: Value | None) -> Items | None:
        """What an object of a dataclass of the project holds, by its fields; None of anything else."""

    def derived(self, value: Value, name: str) -> Value:
        """What a method without effects returns: a value that changes with the object."""

    def enter(self, context: Value) -> Value:
        """A context manager is entered, until the `with` around ends."""

    def at_exit(self, function: Value, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> None:
        """The function is called when the `with` around ends."""

    @property
    def alone(self) -> bool:
        """Whether this process is known to be the only one of its group."""

    @property
    def in_group(self) -> bool | None:
        """Whether there are other processes here: the program joins them, asks its launcher for its rank, or comes here in any
        run. Not known under a test where it does neither: such code may be left of a program that did."""

    def end(self) -> None:
        """Control does not come back from this call."""

    def cleared(self, value: Value) -> None:
        """The gradients in a value are set to zero or to None."""

    def redrawn(self, weights: Value | None) -> None:
        """The weights in a value, or those of its models, are initialized here: what they had learned is gone."""

    def edited(self, value: Value, by: str | None = None, added: bool | None = None) -> None:
        """The gradients in a value are changed by hand. by: what that goes by, where it may limit them, `norm` or `value`.
        added: something is added to them."""


Row: TypeAlias = Callable[[Call], Value]
Look: TypeAlias = Callable[[Mapping[str, object]], Value | None]


def constant(keeps: Mapping[str, object]) -> Value | None:
    """Of an attribute that is the same all through a run."""
    return None


@dataclass(frozen=True)
class Builds:
    """A constructor. of: the arguments that it is built from, by position and name."""

    kind: str
    of: tuple[tuple[int, str], ...] = ()
    facts: Callable[[Call], Mapping[str, Fact | None]] = lambda call: {}
    keeps: Callable[[Call], Mapping[str, object]] = lambda call: {}

    def __call__(self, call: Call) -> Value:
        of = [value for value in (call.get(*place) for place in self.of) if value is not None]
        return call.build(self.kind, of, self.facts(call), self.keeps(call))


@dataclass(frozen=True)
class Does:
    """A method, or with `to` a function, that is one event on its object."""

    verb: str
    facts: Callable[[Call], Mapping[str, Fact | None]] = lambda call: {}
    returns_me: bool = False

    def __call__(self, call: Call) -> Value:
        me = call.me if call.me is not None else NONE
        (kind,) = {role.kind for role in call.roles(me, "")} or {""}
        call.emit(self.verb, call.roles(me, kind), self.facts(call))
        return me if self.returns_me else NONE


@dataclass(frozen=True)
class Same:
    """Hands back its object or its first argument: `model.to(device)`, `DistributedDataParallel(model)`."""

    def __call__(self, call: Call) -> Value:
        if call.me is not None:
            return call.me
        return call.args[0] if call.args else next(iter(call.keywords.values()), NONE)


@dataclass(frozen=True)
class Scoped:
    """A context manager or decorator under which autograd records or does not."""

    grad: bool | None = None

    def __call__(self, call: Call) -> Value:
        return self.scope()

    def scope(self) -> Scope:
        return Scope(self.grad, wanted=self.grad is True)


@dataclass(frozen=True)
class Outlasting:
    """A method whose effect outlasts the pass of a loop that calls it. before: what a pass finds of the one before."""

    row: Row
    before: Callable[[Call], None]

    def __call__(self, call: Call) -> Value:
        return self.row(call)


def handed_back(call: Call) -> Value:
    """What `accelerator.prepare(model, optimizer)` returns: one argument as it is, several in their order."""
    if len(call.args) == 1:
        return call.args[0]
    return Items(call.args) if call.complete else call.unknown(call.name)


def first(call: Call) -> Value:
    """Its first argument, in a wrapper or without one: `accelerator.unwrap_model(model)`."""
    return call.args[0] if call.args else next(iter(call.keywords.values()), NONE)


def take_over(call: Call, framework: str, values: Iterable[Value], runner: str = "") -> None:
    """From here on a framework runs the backward of these, by `runner`, and gives loaders their samplers and seeds; one that goes
    through its data set in order still does, each process through a part."""
    roles = call.objects(values)
    trained = [role for role in roles if role.kind in ("model", "optimizer")]
    if trained:
        call.emit("prepare", trained, {"framework": framework}, names={"runner": runner})
    for role in roles:
        if role.kind == "loader" and call.keeps(Object(role), "stored") is not True:
            call.keep(Object(role), sampler=None, batches=None)
        if role.kind == "scheduler":
            call.keep(Object(role), managed=True)


def managed_backward(
    call: Call, loss: Value | None, steps: Value, known: bool = True, scaled: bool = False, synced: bool | None = None
) -> Value:
    """A framework's backward, which divides the loss by `steps`. known: that it does is in sight. scaled: it scales, too. synced:
    where there are several processes, it has them average their gradients.
    """
    tensor = tensor_in(loss or NONE)
    by_hand = tensor.divided if tensor else None
    averaged = by_hand if steps == Const(1) else known or by_hand or None
    twice = [each.written for each in tensor.divisors if each.by == steps != Const(1)] if tensor else []
    facts = {"managed": True, "scaled": scaled or None, "averaged": averaged, "averaged_twice": bool(twice)}
    if synced is not None:
        facts["synced"] = synced
    return call.backward(loss, facts, {"divisor": twice[0]} if twice else None)


def plain(call: Call) -> Value:
    """It changes nothing that a rule asks for, and what it returns has no graph."""
    return call.pure()


def question(call: Call) -> Value:
    """It asks what something is, or what the program runs on, which nothing changes while it trains."""
    return call.question()


@dataclass(frozen=True)
class Python:
    """A function or class of a framework, written out as far as training is concerned: it is read as if it were the program's.

    A method is written as a function whose first parameter is its object.
    A class that derives from it inherits all that is written here. One with a method `__run__` is run by the framework, and
    that method is how; what else is defined in it, and not called from there, is called from out of sight.
    """

    code: str
    name: str

    def __call__(self, call: Call) -> Value:
        me = () if call.me is None else (call.me,)
        return call.invoke(call.define(self.code, self.name), (*me, *call.args), call.keywords)


def worth(value: Value | None, default: object = None) -> object:
    """The literal that a value is, or `default` where it is not given; None where it is not known."""
    if value is None:
        return default
    return value.value if isinstance(value, Const) else None


def learn(same_as: Mapping[str, str]) -> None:
    """From here on these names of a project mean what known ones mean. Raises Misuse where one is not known."""
    own.learn({})
    for each in (function, _functions, annotated):
        each.cache_clear()
    for name, known in same_as.items():
        if function(known) is None:
            near = difflib.get_close_matches(known, _functions(), 1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise Misuse(f"`same-as` says of `{name}` that it is the same as `{known}`, of which nothing is known{hint}")
    own.learn(same_as)
    for each in (function, _functions, annotated):
        each.cache_clear()


@cache
def function(name: str) -> Row | None:
    """What is known of a function or class, by its qualified name."""
    row = _functions().get(name)
    return row or next((row for pattern, row in _families() if pattern.match(name)), None)


@cache
def packages() -> frozenset[str]:
    """The outermost names of all that a page speaks of."""
    return frozenset(name.partition(".")[0] for name in (*_functions(), *pure(), *differentiable()))


@cache
def bases() -> Mapping[str, str]:
    """Every page's base classes, with the kind of object that a subclass is."""
    return _table("BASES")


@cache
def pure() -> frozenset[str]:
    """Every page's packages without effects on training."""
    return _union("PURE")


@cache
def differentiable() -> frozenset[str]:
    """Every page's packages without effects on training whose functions of tensors keep the graph."""
    return _union("DIFFERENTIABLE")


@cache
def wrapping() -> frozenset[str]:
    """Every page's names of what data is wrapped in to be computed with."""
    return _union("WRAPPING")


@lru_cache(maxsize=1 << 14)
def has_parameters(name: str) -> bool:
    """Whether what a class makes has something to learn, by its qualified name, on some page."""
    return any(re.fullmatch(pattern, name) for pattern in _union("LEARNING"))


@cache
def serving() -> frozenset[str]:
    """Every page's packages whose objects call the functions that they decorate."""
    return _union("SERVING")


@cache
def starting() -> frozenset[str]:
    """Every page's keyword arguments that name what such an object calls before anybody asks."""
    return _union("STARTING")


@cache
def methods() -> Mapping[tuple[str, str], Row]:
    """Every page's methods by kind of object and name."""
    return _table("METHODS")


@cache
def attributes() -> Mapping[tuple[str, str], str | Look]:
    """Every page's attributes that are objects, by their kind, or that are known from what the construction kept."""
    return _table("ATTRIBUTES")


def part_facts(kept: Mapping[str, object], name: str) -> Mapping[str, object]:
    """What is known of a part of a ready-made network, by what the network's construction kept."""
    known = _table("PARTS").get(name)
    return known(kept) if known else {}


def of_tensors(name: str) -> Callable[[Tensor], Value | None] | None:
    """What an attribute of a tensor is worth, by its name; None of one that is a part of what was computed."""
    return _table("TENSORS").get(name)


def only_tells(method: str) -> bool:
    """Whether a method of a tensor, `numel`, tells a number of it, and hands out nothing of it."""
    return method in _union("ABOUT")


def assumed_of(method: str) -> str | None:
    """The kind of value that has a method of this name, whatever it is."""
    return _table("ASSUMED").get(method)


def operator_of(function: str) -> str | None:
    """The operator that a function or a method of tensors is, in place or not: `/` of `torch.div` and `div_`."""
    package, _, name = function.rpartition(".")
    return _table("OPERATORS").get(name.removesuffix("_")) if package in ("", "torch") else None


def as_module(done: Set[str]) -> bool:
    """Whether something is done that is done with modules alone."""
    return not _union("AS_MODULE").isdisjoint(done)


def mode_of(kind: str, name: str) -> bool:
    """Whether an attribute says that an object is in train mode."""
    return (kind, name) in _union("MODES")


def switched_by(kind: str, name: str) -> bool:
    """Whether every switch of an object's mode goes through this method."""
    return (kind, name) in _union("SWITCHED_BY")


def asks_mode(term: Term) -> bool:
    """Whether a test asks if an object is in train mode."""
    return term.head == "attribute" and any(name == term.operands[1] for _, name in _union("MODES"))


def base_named(name: str) -> str | None:
    """The kind of object that subclasses of a class out of sight are, by its name."""
    return _table("NAMED_BASES").get(name)


def criterion_of(name: str) -> str | None:
    """The function of `torch.nn.functional` that a loss of probabilities is, called as a function or as what a class makes."""
    return _CRITERIA.get(name) or _table("CRITERIA").get(name)


@cache
def criteria() -> frozenset[str]:
    """The names of the functions and classes that are losses of probabilities, torch's and others'."""
    classes = (name.rpartition(".")[2].removesuffix("()") for name in _table("CRITERIA"))
    return frozenset((*CRITERIA, *CRITERIA.values(), *classes))


_CRITERIA = {f"torch.nn.functional.{name}": name for name in CRITERIA} | {
    f"torch.nn.{module}{made}()": name for name, made in CRITERIA.items() for module in ("", "modules.loss.", "modules.")
}


def summing(keywords: Mapping[str, Value]) -> bool:
    """Whether a loss is told to be a sum over samples."""
    return any(keywords.get(name) == Const(value) for name, value in _table("SUMMING").items())


def sums_over_samples(given: Set[tuple[str, str | bool]]) -> bool:
    """Whether a file tells losses to be sums over samples, whichever these are. given: what it gives by which name."""
    return not given.isdisjoint(_table("SUMMING").items())


def reads_file(name: str) -> bool:
    """Whether a function returns what a checkpoint holds."""
    return name in _union("READERS")


def switches_grad(name: str) -> bool:
    """Whether a function turns autograd on or off from there on."""
    return name in _union("SWITCHES")


@cache
def without_grad() -> frozenset[str]:
    """The last names of what makes a scope without autograd, and does nothing before that is entered."""
    scopes = (name for name, row in _functions().items() if isinstance(row, Scoped) and row.grad is False)
    return frozenset(name.rpartition(".")[2] for name in scopes)


def gradient_method(call: Call) -> Value:
    """A method of a parameter's gradient."""
    row: Row = methods()[("gradient", "*")]
    return row(call)


@cache
def annotated(annotation: str) -> str | None:
    """The kind of object that an annotation names."""
    built = {name.rpartition(".")[2]: row.kind for name, row in _functions().items() if isinstance(row, Builds)}
    named = (built[word] for word in re.findall(r"\b[A-Z]\w+", annotation) if word in built)
    return None if holds_some(annotation) else of_annotation(annotation) or next(named, None)


def handed(named: Set[str], done: Set[str]) -> str | None:
    """The kind of an object of unknown origin, by the words of its name and what is done with it."""
    for word, kind in _table("NAMED").items():
        if word in named and any((kind, each) in methods() or (kind, each) in attributes() for each in done):
            return str(kind)
    return next((kind for needed, kind in _table("USED").items() if needed <= done), None)


@cache
def _functions() -> Mapping[str, Row]:
    known: Mapping[str, Row] = _table("FUNCTIONS")
    return {**known, **{name: _of_page(same) for name, same in own.known().items()}}


def _of_page(name: str) -> Row:
    row = _table("FUNCTIONS").get(name) or next(row for pattern, row in _families() if pattern.match(name))
    return cast(Row, row)


@cache
def _families() -> tuple[tuple[re.Pattern[str], Row], ...]:
    return tuple((re.compile(pattern), row) for page in _pages() for pattern, row in getattr(page, "FAMILIES", ()))


@cache
def _table(name: str) -> Mapping[Any, Any]:
    """The tables of this name of all pages as one. Raises TypeError where two pages have one key."""
    merged: dict[Any, Any] = {}
    for page in _pages():
        rows = getattr(page, name, {})
        if twice := merged.keys() & rows.keys():
            raise TypeError(f"{name} of two pages of the vocabulary say what {min(twice)} means")
        merged |= rows
    return merged


@cache
def _union(name: str) -> frozenset[Any]:
    """The tables of this name of all pages, as one set."""
    return frozenset(each for page in _pages() for each in getattr(page, name, ()))


@cache
def _pages() -> tuple[object, ...]:
    return tuple(importlib.import_module(f"{__name__}.{page.name}") for page in pkgutil.iter_modules(__path__))

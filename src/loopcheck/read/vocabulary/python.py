"""Python itself and its standard library, as far as training code hands objects through it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from loopcheck.api import VARIED
from loopcheck.loop import Role
from loopcheck.read.domain import health
from loopcheck.read.domain.choices import Each
from loopcheck.read.domain.parts import all_params, entries_of, leaves_of, listed, parts_of, role_of, tensor_in, term_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import (
    NONE,
    Api,
    Bound,
    Choice,
    Class,
    Const,
    Function,
    Instance,
    Items,
    Object,
    Params,
    Partial,
    Stream,
    Symbol,
    Tensor,
    Value,
)
from loopcheck.read.project import Module
from loopcheck.read.vocabulary import Call, Row, bases, function, question
from loopcheck.read.vocabulary.tensors import pictured
from loopcheck.read.vocabulary.torch import METHODS as OF_TORCH
from loopcheck.words import LOADER, NO_LAYER, words

_NUMBERS = frozenset(f"builtins.{name}" for name in ("abs", "bool", "float", "int", "len", "max", "min", "round"))
_ARITHMETIC = frozenset({"-", "/", "//", "%", "**"})
"""Operators that no list has, unlike `+` and `*`."""


def is_number(term: Term) -> bool:
    """Whether a term is a number by how it is computed: `dim // heads`, `min(size)`, `math.sqrt(dim)`."""
    of = term.operands[0] if term.operands else None
    computes = of in _NUMBERS or (isinstance(of, str) and of.startswith("math."))
    return computes if term.head == "call" else term.head in _ARITHMETIC


def member(call: Call) -> Value:
    """What is written in capitals is a constant: what is equal to one `auto()` is not equal to another."""
    return call.unknown("AUTO")


def get_attribute(call: Call) -> Value:
    """`getattr(module, name)`; of an unknown name, some class of the module, where a page says what they have in common, or some
    part of a network, `getattr(self, f"layer{i}")`."""
    name = call.args[1] if len(call.args) >= 2 else None
    if isinstance(name, Const):
        return call.attribute(call.args[0], str(name.value))
    if name and isinstance(call.args[0], Module) and isinstance(makers := call.attribute(call.args[0], "__dict__"), Items):
        return call.item(makers, name)
    some = f"{call.args[0].name}.*" if name and isinstance(call.args[0], Api) else ""
    if some and function(some):
        return Api(some)
    if _names_its_part(call):
        return call.attribute(call.args[0], call.text(1, "name"))
    return call.some_of(call.args[0]) if _has_as_part(call) else call.pure()


def _names_its_part(call: Call) -> bool:
    """`getattr(model, model.base_model_prefix)`: a model knows what it calls one of its parts."""
    role = role_of(call.args[0]) if len(call.args) == 2 else None
    return role is not None and role.kind == "model" and call.text(1, "name").startswith(f"{call.text(0, 'object')}.")


def _has_as_part(call: Call) -> bool:
    """`getattr(self, f"layer{i}")` of a network that was made in sight, where the name does not tell of something else."""
    role = role_of(call.args[0]) if len(call.args) == 2 else None
    return role is not None and role.kind == "model" and role.evidence == "built" and not words(call.text(1, "name")) & NO_LAYER


def length(call: Call) -> Value:
    """Whatever the batches that are drawn, a loader has as many on every pass; what else has a length may grow."""
    role = role_of(call.args[0]) if call.args else None
    if role is not None:
        return call.question() if role.kind == "loader" else call.pure()
    name = call.text(0, "obj").rpartition(".")[2]
    return call.count_of(name) if words(name) & LOADER else call.pure()


def cast_to(call: Call) -> Value:
    """`typing.cast(DistributedSampler, loader.sampler)`: what it is given, told to be something."""
    return call.get(1, "val") or call.pure()


def has_attribute(call: Call) -> Value:
    """Of an object that was made in sight, what all of its kind have; a model may have more, or be wrapped, but has modes."""
    match call.args:
        case (of, Const(str(name))):
            return _has(call, of, name)
        case _:
            return call.pure()


def _has(call: Call, of: Value, name: str) -> Value:
    if isinstance(of, Choice):
        return replace(of, then=_has(call, of.then, name), other=_has(call, of.other, name))
    role = role_of(of)
    if of == NONE:
        return Const(False)
    adds = call.keeps(of, "adds")  # what a wrapper adds to the methods of a module
    if (
        role is not None
        and role.kind == "model"
        and name in ("eval", "train", "training", *(adds if isinstance(adds, tuple) else ()))
    ):
        return Const(True)
    if isinstance(of, Symbol) and role is None:
        return Const(True) if call.holds(of, name) else call.question()
    if role is None or role.kind == "model" or role.evidence != "built" or (role.kind, name) not in OF_TORCH:
        return call.pure()
    fact = VARIED.get(role.kind)
    has = True if fact is None else call.keeps(of, fact)
    return Const(has) if isinstance(has, bool) else call.pure()


def is_instance(call: Call) -> Value:
    if len(call.args) != 2:
        return call.pure()
    cls = call.args[1]
    if isinstance(cls, Class) or cls in _LITERALS:
        return call.each(call.args[0], lambda each: _is_of(call, each, cls))
    if isinstance(cls, Api) and bases().get(cls.name) == "model":
        return call.each(call.args[0], lambda each: _is_module(call, each))
    if isinstance(cls, Api) and cls.name == "torch.Tensor":
        return is_tensor(call)
    if isinstance(cls, Api) and cls.name.startswith("numpy."):  # what was computed by networks is of torch
        return call.each(call.args[0], lambda each: Const(False) if isinstance(each, Tensor) else call.question())
    named = call.text(1, "class")
    if named.rpartition(".")[2] == "ReduceLROnPlateau" and call.keeps(call.args[0], "managed") is not True:
        return call.each(call.args[0], lambda each: _plateau(call, each))
    return call.each(call.args[0], lambda each: _is_shared_out(call, each, named))


def _is_shared_out(call: Call, value: Value, named: str) -> Value:
    """`isinstance(value, DistributedSampler)`, of what is known to be one, and of a model's shards."""
    distributed = call.keeps(value, "distributed") and "Distributed" in named
    sharded = call.keeps(value, "flat") and re.search("FSDP|FullySharded", named)
    return Const(True) if distributed or sharded else call.question()


_PLAIN = (bool, dict, float, int, list, set, str, tuple)
_LITERALS: Mapping[Value, type] = {Api(f"builtins.{each.__name__}"): each for each in _PLAIN}
"""What is written out is of one of these classes; a class, a function and an object that a library has made are of none."""


def _is_of(call: Call, value: Value, cls: Value) -> Value:
    match value:
        case Const(literal):
            told: bool | None = isinstance(literal, _LITERALS.get(cls, ()))
        case Class() | Function() if cls in _LITERALS:
            told = False
        case Object(role) | Instance(role=Role(kind="model") as role) if cls in _LITERALS and role.evidence != "named":
            told = False
        case _:
            told = call.is_of(value, cls)
    return call.question() if told is None else Const(told)


def is_tensor(call: Call) -> Value:
    """`isinstance(value, torch.Tensor)`: of what was computed by networks, and of numbers."""
    return call.each(call.args[0], lambda each: _is_tensor(call, each)) if call.args else call.question()


def _is_tensor(call: Call, value: Value) -> Value:
    match value:
        case Tensor() if value.several:
            return Const(False)
        case Tensor() if not value.holds and not value.lost:  # what was cut from its graph may be a number
            return Const(True)
        case Const() | Items():
            return Const(False)
        case _:
            return call.question()


def _is_module(call: Call, value: Value) -> Value:
    """`isinstance(value, nn.Module)`, where the value was made in sight."""
    role = role_of(value) if isinstance(value, (Object, Instance)) else None
    made = isinstance(value, Const) or (role is not None and role.evidence == "built")
    return Const(role is not None and role.kind == "model") if made else call.question()


def _plateau(call: Call, scheduler: Value) -> Value:
    told = scheduler.facts.get("plateau") if isinstance(scheduler, Object) else None
    return call.pure() if told is None else Const(told is True)


def module(call: Call) -> Value:
    """`import_module("horovod.torch")`: what `import` would bind, of several names that a test chooses from this one or that.
    Where a name with dots in front begins, nobody knows."""
    return _module(call, call.get(0, "name"))


def _module(call: Call, name: Value | None) -> Value:
    match name:
        case Const(str(written)) if written and not written.startswith("."):
            return call.module(written)
        case Choice(test, then, other):
            return Choice(test, _module(call, then), _module(call, other))
        case _:
            return call.pure()


def sequence(call: Call) -> Value:
    if not call.args:
        return Items(())
    first = call.args[0]
    call.spend(first)
    if isinstance(first, Items):
        return replace(first)  # another list, of the same elements
    return listed(first) or (first if isinstance(first, (Tensor, Stream)) else Stream((first,)))


def reordered(call: Call) -> Value:
    """`reversed(list(model.parameters()))`: parameters in another order are the same ones."""
    return sequence(call) if call.args and all_params(call.args[0]) else call.pure()


def mapping(call: Call) -> Value:
    """`dict(lr=0.1)`, `dict(options)`; of a state it is one of the same tensors, and of parameters with their names those."""
    if call.args and _is_state(call.args[0]):
        return call.args[0]
    if len(call.args) == 1 and all_params(call.args[0]) and not call.keywords:
        return sequence(call)
    found = _pairs(call.args[0]) if call.args else {}
    if found is None or not call.complete:
        return call.unknown("dict")
    found = found | dict(call.keywords)
    return Items(tuple(found.values()), tuple(found))


def _pairs(value: Value) -> dict[object, Value] | None:
    """What a dictionary holds, or what one that is made of pairs does; None where that cannot be told."""
    match value:
        case Items(keys=tuple()):
            return entries_of(value)
        case Items(values):
            pairs = [each.values for each in values if isinstance(each, Items) and each.keys is None]
            found = {pair[0].value: pair[1] for pair in pairs if len(pair) == 2 and isinstance(pair[0], Const)}
            return found if len(found) == len(values) else None
        case _:
            return None


def filtered(call: Call) -> Value:
    """`filter(lambda p: p.requires_grad, model.parameters())` leaves out what is not trained, and splits nothing."""
    if len(call.args) == 2 and (params := all_params(call.args[1])):
        trainable = "requires_grad" in call.text(0, "function")
        if trainable:
            call.still(params.models)
        taken = Params(params.models, params.whole and trainable, params.grouped or not trainable, params.open)
        return call.once(replace(taken, trainable=trainable))
    match call.args:
        case (_, Stream((of,), numbered=False) | of) if (role := role_of(of)) is not None and role.kind == "model":
            return call.some_of(of)  # `filter(is_norm, net.modules())`
    return call.unknown("filtered")


def mapped(call: Call) -> Value:
    """`list(map(function, values))`: what a function makes of each of so many; of models that nobody has counted, of them all; of
    what a loader hands out, when that is drawn."""
    match call.args:
        case (function, Items(values)) if isinstance(function, Function) or any(map(role_of, values)):
            return Items(tuple(call.invoke(function, (each,)) for each in values))
        case (Function() as function, Object() | Instance() | Symbol() as all_of_them) if _is_model(all_of_them):
            return call.invoke(function, (all_of_them,))
        case (Function() as function, Stream((all_of_them,))) if _is_model(all_of_them):  # of its layers
            return call.invoke(function, (all_of_them,))
        case (
            Function() | Partial() | Bound() | Instance() | Object() as by,
            Object(Role(kind="loader")) | Stream() | Symbol() as of,
        ):
            return Stream((of,), by=by)
        case _:
            return call.pure()


def _is_model(value: Value) -> bool:
    role = role_of(value)
    return role is not None and role.kind == "model"


def summed(call: Call) -> Value:
    """`sum(p.numel() for p in params)`, which draws all that a generator has."""
    call.spend(Items(call.args))
    return tensor_in(Items(call.args)) or call.pure()


def zipped(call: Call) -> Value:
    columns = [arg.values for arg in call.args if isinstance(arg, Items) and arg.keys is None]
    if columns and len(columns) == len(call.args):
        return Items(tuple(Items(tuple(row)) for row in zip(*columns, strict=False)))
    if any(role_of(each) for column in columns for each in column) and all(isinstance(arg, Items | Symbol) for arg in call.args):
        rows = range(min(map(len, columns)))  # `zip(optimizers, checkpoint["optimizers"])`
        return Items(tuple(Items(tuple(_nth(call, arg, number) for arg in call.args)) for number in rows))
    tensor = tensor_in(Items(call.args))
    if tensor is None:
        return Stream(call.args)
    hows = [each.activation if isinstance(each, Tensor) else "" for each in call.args]  # of lists, what each output of them was
    row = tuple(how.how if isinstance(how, Each) and isinstance(how.how, str) else "" for how in hows)
    return replace(tensor, activation=Each(row)) if any(row) else tensor


def _nth(call: Call, column: Value, number: int) -> Value:
    return column.values[number] if isinstance(column, Items) else call.derived(column, f"item {number}")


def enumerated(call: Call) -> Value:
    first = call.args[0] if call.args else None
    if isinstance(first, Items) and first.keys is None:
        return Items(tuple(Items((Const(index), value)) for index, value in enumerate(first.values)))
    if first is None or isinstance(first, Params):
        return first or call.unknown("enumerate")
    start = call.get(1, "start")
    return Stream((first,), _start(start), numbered=True, first=start)


def ranged(call: Call) -> Value:
    """`range(stop)`, `range(start, stop)`; of one that counts in other steps no end is told, but so many passes."""
    alone = len(call.args) < 2
    stop = None if len(call.args) > 2 else call.get(0 if alone else 1, "stop")
    end = call.text(0 if alone else 1, "stop")
    if len(call.args) > 2:
        last, stride = (f"({each})" if " " in each else each for each in (end, call.text(2, "step")))
        end = f"-(-{last} // {stride})" if _start(call.args[0]) == 0 else ""
    first = None if alone else call.args[0]
    rises = _rises(call.get(2, "step"))
    return Stream((), _start(first), bound=end, end=None if stop is None else term_of(stop), first=first, rises=rises)


def counted(call: Call) -> Value:
    """`itertools.count(start)`."""
    return Stream((), _start(call.get(0, "start")), rises=_rises(call.get(1, "step")))


def _rises(step: Value | None) -> bool:
    """Whether counting in such steps goes up."""
    return step is None or (isinstance(step, Const) and isinstance(step.value, (int, float)) and step.value > 0)


def _start(given: Value | None) -> int | None:
    """Where counting begins: from 0 where nothing else is said."""
    if given is None:
        return 0
    return given.value if isinstance(given, Const) and type(given.value) is int else None


def shown(call: Call) -> Value:
    """A progress bar over a loader, `tqdm(loader)`, is a pass over the loader wherever it is bound; over what may be `None` there
    is none then. Accelerate's own may be asked first who is to see it."""
    over = call.get(1 if isinstance(call.get(0, ""), Const) else 0, "iterable")
    leaves = [leaf for leaf in leaves_of(over or NONE) if leaf != NONE]
    shows = bool(leaves) and all(isinstance(leaf, (Object, Symbol, Stream)) for leaf in leaves)
    return over if over is not None and shows else call.pure()


def streamed(call: Call) -> Value:
    """`iter(loader)` and its like hand out what they are given."""
    if not call.args:
        return call.unknown("iterator")
    return call.args[0] if isinstance(call.args[0], Params) else Stream(call.args[:1])


def portioned(call: Call) -> Value:
    """`islice(loader, n)`, `cycle(loader)` hand out fewer than there are, or more."""
    handed = streamed(call)
    match handed:
        case Stream():
            return replace(handed, whole=False)
        case Params():
            return replace(handed, once=None)  # how much is left of the generator, nobody knows
        case _:
            return handed


def iterated(call: Call) -> Value:
    """`iter(loader)` begins a pass over the loader; its batches are drawn from it."""
    over = call.args[0] if len(call.args) == 1 else None
    return call.iterator(over) if isinstance(over, (Object, Instance, Symbol)) else streamed(call)


def next_of(call: Call) -> Value:
    stream = call.args[0] if call.args else None
    element = stream if isinstance(stream, Params) else call.unknown("next")
    if isinstance(stream, Stream):
        call.draw(stream, element)
    return element


def stack(call: Call) -> Value:
    """`ExitStack()`."""
    return Object(Role("exit stack", ""))


def entered(call: Call) -> Value:
    return call.enter(call.args[0]) if call.args else call.pure()


def at_exit(call: Call) -> Value:
    call.at_exit(call.args[0], call.args[1:], call.keywords)
    return call.args[0]


def own(call: Call) -> Value:
    """What a file makes for itself: what it asks of it, no other file has asked."""
    return call.of_file()


def literal(call: Call) -> Value:
    """`int(prediction)`, `str(score)`: of a tensor the numbers; of what is none, an answer that stays the same."""
    tensor = tensor_in(call.args[0]) if call.args else None
    if tensor is None:
        return call.question()
    call.take_numbers(tensor)
    return call.unknown("number") if health.outcome(tensor) is None else tensor


def attributes_of(call: Call) -> Value:
    """`vars(self)`."""
    return call.attribute(call.args[0], "__dict__") if len(call.args) == 1 else call.unknown("attributes")


def boolean(call: Call) -> Value:
    """`bool(flag)`: the test that the flag is."""
    given = call.args[0] if len(call.args) == 1 else None
    return literal(call) if given is None or tensor_in(given) else call.either(given, Const(True), Const(False))


def number(call: Call) -> Value:
    """`float(loss)`."""
    if tensor := tensor_in(call.args[0]) if call.args else None:
        call.take_numbers(tensor)
        return tensor.detached()
    return Const(float("inf")) if call.args and call.args[0] == Const("inf") else call.unknown("number")


def partial(call: Call) -> Value:
    return Partial(call.args[0], call.args[1:], tuple(call.keywords.items())) if call.args else call.unknown("partial")


def deepcopy(call: Call) -> Value:
    """A copy is an object of its own: an optimizer of the original does not train it."""
    return _copied(call, call.args[0]) if call.args else call.pure()


def shallow(call: Call) -> Value:
    """`copy.copy(state)`: a dictionary of the same tensors."""
    state = call.args[0] if call.args else NONE
    return state if _is_state(state) else call.pure()


def _is_state(value: Value) -> bool:
    return (role := role_of(value)) is not None and role.kind == "state"


def _copied(call: Call, value: Value) -> Value:
    role = role_of(value)
    if role is not None:
        copy = Object(Role(role.kind, "", open=role.open, evidence=role.evidence, anew=call.loops))
        moded = call.moded(value) if role.kind == "model" else None
        if moded is not None:
            call.keep(copy, moded=moded)
        if role.kind == "model" and call.in_train_mode(value):
            call.emit("build", [copy.role], {"training": True})
        return copy
    match value:
        case Items(values, keys):
            return Items(tuple(_copied(call, each) for each in values), keys)
        case Const():
            return value
        case Symbol():
            return call.copy(value)
        case _:
            return call.pure()


def printed(call: Call) -> Value:
    """`print(model(x))`, again and again, or of a network whose weights are of a file: somebody reads the numbers."""
    out = tensor_in(Items(call.args))
    models = [whole for model in out.models for whole in (model, *model.wholes)] if out else []
    ready = any(call.keeps(Object(each), "filled") for each in models)
    return pictured(call) if call.loops or ready else call.pure()


def ends(call: Call) -> Value:
    """`sys.exit()`: the program ends, and what stands behind it is never come to."""
    call.end()
    return NONE


def set_attribute(call: Call) -> Value:
    """`setattr(args, "model", net)`; what an object has under a name that nobody knows, it is asked for out of sight."""
    match call.args:
        case (base, Const(str(name)), value):
            call.bind(base, name, value)
        case (Object(Role(kind="model")) | Instance(role=Role(kind="model")), _, _):
            pass  # a network has another layer
        case (_, _, value):
            call.emit("escape", call.objects([value]))
    return NONE


def namespace(call: Call) -> Value:
    """`SimpleNamespace(model=net)`, which holds what it is given; a number in it is an option like any other."""
    made = call.pure()
    for name, value in call.keywords.items():
        if call.objects([value]):
            call.bind(made, name, value)
    return made


def as_dictionary(call: Call) -> Value:
    """`dataclasses.asdict(snapshot)`: copies of all that its fields hold, the states of objects among them."""
    held = call.fields(call.args[0] if call.args else None)
    return call.pure() if held is None else Items(tuple(_apart(call, each) for each in held.values), held.keys)


def _apart(call: Call, value: Value) -> Value:
    """A copy of a value; one of a state is that of the same object, and goes on changing with nothing."""
    match value:
        case Object(Role(kind="state", of=of)):
            return Object(Role("state", "", of=of))
        case _:
            return _copied(call, value)


def chain(call: Call) -> Value:
    parts = [part for part in parts_of(Items(call.args)) if isinstance(part, Params)]
    if not parts:
        return call.pure()
    models = frozenset[Role]().union(*(part.models for part in parts))
    all_of_them = Params(models, all(p.whole for p in parts), any(p.grouped for p in parts), any(p.open for p in parts))
    return call.once(all_of_them)


_TQDM = ("", ".auto", ".autonotebook", ".notebook", ".rich", ".std", ".gui", ".tk", ".asyncio")
_BARS = (
    "accelerate.utils.tqdm", "alive_progress.alive_it", "fastprogress.progress_bar", "fastprogress.fastprogress.progress_bar",
    "progressbar.progressbar", "rich.progress.track", "stqdm.stqdm",
)  # fmt: skip

FUNCTIONS: Mapping[str, Row] = {
    "builtins.getattr": get_attribute,
    "builtins.hasattr": has_attribute,
    "builtins.isinstance": is_instance,
    "torch.is_tensor": is_tensor,
    "builtins.len": length,
    "builtins.print": printed,
    "builtins.list": sequence,
    "builtins.set": sequence,
    "builtins.tuple": sequence,
    **dict.fromkeys(("builtins.dict", "collections.OrderedDict"), mapping),
    **dict.fromkeys(("builtins.reversed", "builtins.sorted"), reordered),
    "builtins.filter": filtered,
    "builtins.map": mapped,
    "builtins.sum": summed,
    "builtins.zip": zipped,
    "builtins.enumerate": enumerated,
    "enum.auto": member,
    "builtins.next": next_of,
    "builtins.iter": iterated,
    "builtins.range": ranged,
    "importlib.import_module": module,
    "itertools.count": counted,
    "itertools.cycle": portioned,
    "itertools.islice": portioned,
    "contextlib.ExitStack": stack,
    "builtins.float": number,
    **dict.fromkeys(("builtins.int", "builtins.str"), literal),
    "builtins.bool": boolean,
    "builtins.vars": attributes_of,
    **dict.fromkeys(("inspect.isclass", "os.environ.get", "os.getenv"), question),
    **dict.fromkeys(("functools.partial", "types.MethodType"), partial),
    **dict.fromkeys(("builtins.exit", "builtins.quit", "os._exit", "sys.exit"), ends),
    "argparse.ArgumentParser": own,
    "builtins.setattr": set_attribute,
    **dict.fromkeys(("argparse.Namespace", "types.SimpleNamespace"), namespace),
    "copy.copy": shallow,
    "copy.deepcopy": deepcopy,
    "dataclasses.asdict": as_dictionary,
    "itertools.chain": chain,
    "typing.cast": cast_to,
    **{f"tqdm{module}.trange": ranged for module in _TQDM},
    **{f"tqdm{module}.tqdm": shown for module in _TQDM},
    **dict.fromkeys(_BARS, shown),
    "tqdm.contrib.tenumerate": enumerated,
}

METHODS: Mapping[tuple[str, str], Row] = {
    ("exit stack", "enter_context"): entered,
    ("exit stack", "callback"): at_exit,
}
PURE = {
    "PIL", "abc", "argparse", "builtins", "collections", "contextlib", "copy", "csv", "cv2", "dataclasses", "datetime",
    "enum", "functools", "glob", "hydra", "io", "itertools", "json", "logging", "math", "matplotlib", "numpy", "omegaconf", "os",
    "pandas", "pathlib", "pickle", "pprint", "psutil", "random", "re", "rich", "scipy", "shutil", "sklearn", "string",
    "subprocess", "sys", "tempfile", "tensorboard", "tensorboardX", "time", "torchinfo", "tqdm", "types", "typing", "wandb",
    "warnings", "yaml",
}  # fmt: skip
DIFFERENTIABLE = {"einops"}

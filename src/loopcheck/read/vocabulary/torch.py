"""PyTorch."""

from __future__ import annotations

import ast
import itertools
import math
import re
from collections.abc import Mapping
from dataclasses import replace

from loopcheck.api import CLIP_LIMITS, CLIPS, HOLDERS, LAST_EPOCHS, LENGTHS, MEMORYLESS, OVERWRITES, SPANS
from loopcheck.loop import UNWRITABLE, Fact, Role
from loopcheck.read.domain.choices import agreed
from loopcheck.read.domain.counts import number, of_name, of_window, unit
from loopcheck.read.domain.health import NORM
from loopcheck.read.domain.parts import arms_of, leaves_of, parts_of, tensor_in, term_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import (
    NONE,
    Api,
    Choice,
    Const,
    Instance,
    Items,
    Made,
    Object,
    Params,
    Partial,
    Scope,
    Symbol,
    Tensor,
    Value,
)
from loopcheck.read.vocabulary import Builds, Call, Does, Look, Row, Same, Scoped, asks_mode, constant, question, worth
from loopcheck.read.vocabulary.devices import on_gpu
from loopcheck.words import ANEW, EVAL_FLAGS, HARMLESS, INITIALIZES, MODE_FLAGS, is_class_name, metric_named, warms, words

# torch.optim, 2.13
SCHEDULERS = [
    "ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR", "ExponentialLR", "LambdaLR",
    "LRScheduler", "LinearLR", "MultiStepLR", "MultiplicativeLR", "OneCycleLR", "PolynomialLR", "ReduceLROnPlateau",
    "SequentialLR", "StepLR", "_LRScheduler",
]  # fmt: skip
DATASETS = {"torch.utils.data.Dataset", "torch.utils.data.dataset.Dataset"}
STREAMS = {"torch.utils.data.IterableDataset", "torch.utils.data.dataset.IterableDataset"}
SAMPLERS = ["RandomSampler", "SequentialSampler", "SubsetRandomSampler", "WeightedRandomSampler", "BatchSampler", "Sampler"]


def loader_facts(call: Call) -> Mapping[str, Fact | None]:
    """Where flags decide, under those outcomes of them that are worst: a sampler and shuffle together."""
    sampler, shuffle = call.get(3, "sampler"), call.get(2, "shuffle")
    unsaid = None if call.complete else call.unknown("unsaid")
    ways = [
        (_given(which, outcomes), _told(whether))
        for assumed, whether in arms_of(shuffle or unsaid or Const(False), {})
        for outcomes, which in arms_of(sampler or unsaid or NONE, assumed)
    ]
    if (True, True) in ways:
        return {"sampler": True, "shuffle": True}
    samplers, shuffles = {given for given, _ in ways}, {told for _, told in ways}
    return {
        "sampler": samplers.pop() if len(samplers) == 1 else None,
        "shuffle": shuffles.pop() if len(shuffles) == 1 else None,
    }


def _given(value: Value, outcomes: Mapping[object, bool]) -> bool | None:
    """An object is there for sure, for sure not, or it cannot be told."""
    match value:
        case Const(None):
            return False
        case Object() | Instance():
            return True
        case Symbol(Term(head="call", operands=(str(made), *_))) if is_class_name(made):  # by a class out of sight
            return True
        case Symbol(term):
            return outcomes.get(term)
        case _:
            return None


def _told(value: Value) -> bool | None:
    return bool(value.value) if isinstance(value, Const) else None


def loader_keeps(call: Call) -> Mapping[str, object]:
    sampler = call.get(3, "sampler") or call.get(4, "batch_sampler") or (NONE if call.complete else None)
    if sampler is None:
        return {"ragged": None}
    number = _batches(call) if sampler == NONE else None
    shuffled = worth(call.get(2, "shuffle"), False)
    told = any(call.get(*each) is not None for each in ((2, "shuffle"), (4, "batch_sampler")))
    stored = None if told or not call.complete or number == 1 else call.stored(call.get(0, "dataset"))
    order: dict[str, object] = {"shuffled": Const(shuffled) if isinstance(shuffled, bool) else None, "stored": stored}
    if stored:
        order["shuffling"] = f"{given} is None" if (given := call.text(3, "sampler")) else "True"
    return {"sampler": sampler, "batches": number, "ragged": _ragged(call), **order}


class Loads(Builds):
    """`DataLoader(dataset, …)`; of a stream that several processes read, each from its beginning to its end, that is told."""

    def __call__(self, call: Call) -> Value:
        given = call.get(5, "num_workers")
        workers = worth(given.default if isinstance(given, Symbol) else given)
        made = super().__call__(call)
        if isinstance(workers, int) and workers > 1 and call.complete and call.get(10, "worker_init_fn") is None:
            stream = call.stream(call.get(0, "dataset"))
            if stream:
                call.emit("duplicate", [Role("class", stream)])
        if worth(given, 0) == 0 and call.complete and call.for_gpu and call.computed_here(call.get(0, "dataset")):
            call.emit("serve", call.roles(made, "loader"))
        return made


loader = Loads("loader", ((3, "sampler"), (4, "batch_sampler")), loader_facts, loader_keeps)


def _batches(call: Call) -> int | None:
    """How many batches a loader has that takes its samples in order or in a random one."""
    data, size, drop = call.get(0, "dataset"), worth(call.get(1, "batch_size"), 1), worth(call.get(8, "drop_last"), False)
    samples = _length(term_of(data)) if data is not None else None
    if samples is None or not isinstance(size, int) or size < 1 or drop is None:
        return None
    return samples // size if drop else math.ceil(samples / size)


def _ragged(call: Call) -> bool | str | None:
    """Whether the last batch of a pass is smaller than the others: False, 'known', 'possible'; None where that cannot be told."""
    data, size, drop = call.get(0, "dataset"), worth(call.get(1, "batch_size"), 1), worth(call.get(8, "drop_last"), False)
    if drop is not False or not call.complete or call.get(4, "batch_sampler") is not None:
        return False if drop is True else None
    if not isinstance(size, int) or size < 2:
        return False if size == 1 else "possible"
    samples = None if data is None or call.get(3, "sampler") not in (None, NONE) else _length(term_of(data))
    return "possible" if samples is None else "known" if samples % size and samples > size else False


def _length(term: Term) -> int | None:
    """The length of a data set that is made of tensors whose shape is written out."""
    match term.head, term.operands:
        case "call", (str(name), Term(head="items", operands=(Term() as first, *_))):
            if name == "torch.utils.data.TensorDataset":
                return _length(first)
            return number(first) if name in _BY_SHAPE else None
        case _:
            return None


_BY_SHAPE = {f"torch.{name}" for name in ("randn", "rand", "zeros", "ones", "empty", "arange")}


def sampler_keeps(call: Call) -> Mapping[str, object]:
    """A setting that decides whether it shuffles is tested where a pass begins: whoever sets it gets that program."""
    shuffle = call.get(3, "shuffle") or (Const(True) if call.complete else None)
    return {"distributed": True, "shuffled": call.either(shuffle, Const(True), Const(False)) if shuffle else None}


def scaler(call: Call) -> Value:
    """`GradScaler(…, enabled=flag)`: where the flag decides, an enabled one under it and a disabled one without."""
    made = Builds("scaler")(call)
    assert isinstance(made, Object)
    enabled = call.get(99, "enabled") or Const(True)
    return call.either(enabled, Object(made.role, {"enabled": True}), Object(made.role, {"enabled": False}))


def limits(bound: Value | None) -> bool:
    """Whether a clip limits anything: an infinite one only measures."""
    value = worth(bound)
    infinite = isinstance(bound, Api) and bound.name in ("math.inf", "numpy.inf", "torch.inf")
    return not infinite and not (isinstance(value, (int, float)) and math.isinf(value))


def clip_facts(call: Call) -> Mapping[str, Fact | None]:
    bound = next((given for each in CLIP_LIMITS if (given := call.get(1, each)) is not None), None)
    by, what = CLIPS.get(call.name.rpartition(".")[2]), call.get(0, "parameters")
    one = [part for part in parts_of(what or NONE) if isinstance(part, Params) and part.each]
    by_itself = any(term_of(part) in term_of(bound or NONE).parts() for part in one)  # `0.01 * p.norm()`
    each = bool(one) and not by_itself and not call.varies(bound, inside=True)
    return {"limits": limits(bound), "managed": call.me is not None, "by": by, "spent": call.spend(what), "each": each}


def clip(call: Call) -> Value:
    """`clip_grad_norm_(parameters, …)`, torch's or a framework's: parameters, one tensor, or a list of them."""
    what = call.get(0, "parameters")
    models = call.roles(what, "model")
    whose = re.fullmatch(r"([\w.]+)\.parameters\(\)", call.text(0, "parameters"))
    call.emit("clip", models, clip_facts(call), open=not models, names={"clipped": whose[1]} if whose else {})
    return Tensor(NORM)


def optimizer_step(call: Call) -> Value:
    closure = call.get(0, "closure")
    on = call.roles(call.me, "optimizer")
    _hooks(call, call.me, "before_step")
    call.emit("step", on, {"scaled": False, "closure": closure is not None, "frozen": call.frozen(on)})
    _by_stages(call)
    _hooks(call, call.me, "after_step")
    return NONE


def _hooked(when: str) -> Row:
    """`optimizer.register_step_post_hook(hook)`: from here on each step calls it."""

    def row(call: Call) -> Value:
        before = call.keeps(call.me, when)
        hooks = before.values if isinstance(before, Items) else ()
        call.keep(call.me, **{when: Items((*hooks, call.get(0, "hook") or call.unknown("hook")))})
        return call.unknown("handle")

    return row


def _hooks(call: Call, optimizer: Value | None, when: str) -> None:
    hooks = call.keeps(optimizer, when)
    for hook in hooks.values if isinstance(hooks, Items) else ():
        call.invoke(hook, (optimizer or NONE, call.unknown("args"), call.unknown("kwargs")))


def _by_stages(call: Call) -> None:
    """`optimizer.step(stage=1)`: a step that is told more than torch's are may clear the gradients itself; one that is told a
    learning rate is no torch optimizer's."""
    if not call.keywords.keys() <= {"closure", "optimizer"} or any(map(_is_rate, call.args)):
        call.emit("zero_grad", (), open=True)


def _is_rate(given: Value) -> bool:
    term = term_of(given)
    return any(term.mentions(name) or term.name == name for name in ("lr", "learning_rate"))


def _disabled(scaler: Value | None) -> bool:
    return isinstance(scaler, Object) and scaler.facts.get("enabled") is False


def scaler_is_enabled(call: Call) -> Value:
    """Told where it is made, and for good."""
    return Const(not _disabled(call.me)) if isinstance(call.me, Object) else call.question()


def scaler_step(call: Call) -> Value:
    optimizer = call.get(0, "optimizer")
    on = call.roles(optimizer, "optimizer")
    facts = {"scaled": not _disabled(call.me), "closure": False, "frozen": call.frozen(on), "varied": call.varies(optimizer)}
    _hooks(call, optimizer, "before_step")
    call.emit("step", [*on, *call.roles(call.me, "scaler")], facts, open=not on)
    _by_stages(call)
    _hooks(call, optimizer, "after_step")
    return NONE


_STAGES = "_per_optimizer_states"
"""Where a scaler keeps whether an optimizer's gradients are unscaled."""


def scaler_unscale(call: Call) -> Value:
    optimizer = call.get(0, "optimizer")
    on = call.roles(optimizer, "optimizer")
    if call.asks_for(_STAGES):  # whoever asks the scaler itself knows whether it is the first time
        call.emit("unscale", (), open=True)
    elif not _disabled(call.me):
        call.emit("unscale", [*on, *call.roles(call.me, "scaler")], open=not on or call.varies(optimizer))
    return NONE


def scaled(loss: Value | None, scaler: Value | None) -> Tensor:
    """A loss with the factor of a scaler, which a disabled one does not have."""
    tensor = tensor_in(loss or NONE) or Tensor(Term("loss"), history=(Made("hidden"),), open=True)
    if _disabled(scaler) or not isinstance(scaler, (Instance, Object, Symbol)):
        return tensor
    return replace(tensor, scaler=scaler)


def scaler_scale(call: Call) -> Value:
    """Of a loss; what is only called a scaler may scale data as well."""
    outputs = call.get(0, "outputs")
    by_name = all(role.evidence != "built" for role in call.roles(call.me, "scaler"))
    return call.pure() if by_name and tensor_in(outputs or NONE) is None else scaled(outputs, call.me)


def _named_mode(mode: Value | None) -> bool:
    """`mode == "train"`, of a mode that nobody knows: which one a model is put in is the program's choice, as it is where a model
    gets the mode back that it was in."""
    return isinstance(mode, Choice) and isinstance(mode.test.key, Term) and mode.test.equals is not None


def model_train(call: Call) -> Value:
    """Into train mode, into eval mode, or, where the flag does not tell, into either."""
    mode = call.get(0, "mode")
    if (isinstance(mode, Symbol) and asks_mode(mode.term)) or _named_mode(mode):
        for verb in ("train", "evaluate"):
            call.emit(verb, (), open=True)
    else:
        off = lambda: _switch(call, training=False, flagged=True)  # noqa: E731
        call.when(mode or Const(True), lambda: _switch(call, training=True), off)
    return call.me or NONE


def model_eval(call: Call) -> Value:
    _switch(call, training=False)
    return call.me or NONE


def _switch(call: Call, training: bool, flagged: bool = False) -> None:
    roles = call.roles(call.me, "model")
    facts: dict[str, Fact | None] = {"apart": call.apart(roles, training)}
    some = call.keeps(call.me, "some") is True  # of a network's layers, or of several networks, and nobody knows which
    if not training:
        partly = some and (call.is_layer(call.me) or all(role.part_of for role in roles))
        facts |= {"moded": call.moded(call.me), "flagged": flagged, "partly": partly}
    call.emit("train" if training else "evaluate", roles, facts, open=some)
    call.switched(roles, training)


def scheduler_step(call: Call) -> Value:
    plateau = isinstance(call.me, Object) and call.me.facts.get("plateau") is True
    given = any(each != NONE for each in (*call.args, *call.keywords.values())) or call.keeps(call.me, "told") is True
    told = call.get(1, "epoch") is not None or None if plateau else given
    if isinstance(call.me, Object) and call.me.role.evidence != "built" and not told:
        told = None  # of a class out of sight: it may count from 1, so that its first rate comes twice
    on = call.roles(call.me, "scheduler")
    if call.sought and all(role.evidence != "built" for role in on):
        told = None  # whoever asks for it does not know whether there is one, nor whose
    facts: dict[str, Fact | None] = {"epoch": told, "managed": call.keeps(call.me, "managed") is True}
    if isinstance(call.me, Object) and call.me.facts.get("plateau") is False:
        facts["metric"] = False
        last = call.me.facts.get("last")
        facts["overrun"] = call.runs(last) if isinstance(last, (Const, Symbol)) else False
    elif plateau and call.complete:
        missing = None if call.told_apart else "missing"
        told_of = call.get(0, "metrics")
        label = told_of.label if isinstance(told_of, Symbol) else ""
        facts["metric"] = metric_named(call.text(0, "metrics"), label) if told_of is not None else missing
    call.emit("schedule", on, facts)
    return NONE


def set_epoch(call: Call) -> Value:
    epoch = call.get(0, "epoch")
    call.emit("set_epoch", call.roles(call.me, ""), {"varying": not isinstance(epoch, Const)})
    return NONE


def joins_group(call: Call) -> Value:
    """`init_process_group(backend, rank=rank, world_size=size)`."""
    call.join_group(call.get(3, "world_size"))
    return NONE


def is_in_group(call: Call) -> Value:
    """`dist.is_initialized()`: not known, but where the program itself starts several processes, and not on this way."""
    return Const(False) if call.by_itself else call.question()


def cleared(call: Call) -> Value:
    """`optimizer.zero_grad(set_to_none=…)`."""
    (kind,) = {role.kind for role in call.roles(call.me, "")} or {""}
    on = call.roles(call.me, kind)
    call.emit("zero_grad", on, {"leftover": False})
    if worth(call.get(0, "set_to_none")) is False:
        call.emit("keep", on)
    return NONE


def trimmed(call: Call) -> Value:
    """`torch.cuda.empty_cache()`."""
    if optimizers := list(call.optimizers):
        call.emit("trim", optimizers, {"each": call.by_batch_here})
    return NONE


def backward_of(call: Call) -> Value:
    """`torch.autograd.backward(tensors)`."""
    return call.backward(call.get(0, "tensors"), {})


def gradients_of(call: Call) -> Value:
    """`torch.autograd.grad(outputs, inputs)`, which may be differentiated again."""
    outputs = call.get(0, "outputs") or call.pure()
    call.differentiated([outputs])
    return outputs


def grad_mode(call: Call) -> Value:
    """`set_grad_enabled(flag)`: as a context the same as no_grad or enable_grad."""
    flag = call.args[0] if call.args else call.keywords.get("mode")
    if isinstance(flag, Choice) and isinstance(flag.then, Const) and isinstance(flag.other, Const):
        then, other = bool(flag.then.value), bool(flag.other.value)
        return Choice(flag.test, Scope(then, wanted=then), Scope(other, wanted=other))
    value = worth(flag)
    return Scope(wanted=True) if value is None else Scope(bool(value))


def autocast(call: Call) -> Value:
    """What it computes in, where it is on for sure: on a GPU float16, and bfloat16 on a CPU, if nothing else is said. What is on
    where there is a GPU is on: who trains has one. What an option turns on is on for who asks for it: where nothing speaks of a
    loss scale, there is none for that either."""
    by_device = call.name.startswith(("torch.cuda", "torch.cpu"))
    enabled, dtype = call.get(0 if by_device else 2, "enabled") or Const(True), call.get(1, "dtype")
    device = call.name.split(".")[1] if by_device else on_gpu(term_of(call.get(0, "device_type") or NONE))
    on = on_gpu(term_of(enabled)) or (_is_option(call, enabled) and not call.scales)
    if on is not True or not call.complete:
        return Scope(precision="?")
    if isinstance(dtype, Api):
        return Scope(precision=_HALVES.get(dtype.name, "?"))
    return Scope(precision=_BY_DEVICE.get(device, "?") if dtype is None else "?")


def _is_option(call: Call, flag: Value) -> bool:
    """Whether a flag is one that who runs the program sets, `args.amp`, and none that says whether it trains."""
    if not isinstance(flag, Symbol) or flag.term.head not in ("attribute", "item", "name") or call.varies(flag):
        return False
    return re.findall(r"\w+", flag.term.text)[-1] not in MODE_FLAGS | EVAL_FLAGS


_BY_DEVICE: Mapping[object, str] = {"cuda": "float16", "cpu": "bfloat16"}
_HALVES = {"torch.float16": "float16", "torch.half": "float16", "torch.bfloat16": "bfloat16"}


def scheduler_keeps(call: Call) -> Mapping[str, object]:
    """span: how long it is; of one that is not told, as long as its class has it."""
    name = call.name.rpartition(".")[2]
    span = (call.get(*LENGTHS[name]) or Const(SPANS.get(name))) if name in LENGTHS and call.complete else None
    return {"plateau": name == "ReduceLROnPlateau", "known": True, "span": span, **_way(call, name, span)}


def _way(call: Call, name: str, span: Value | None) -> Mapping[str, object]:
    """rises: the length of a schedule that takes the rate up. falls: of one that takes it down and is told a warm-up's length."""
    if span is None:
        return {}
    if _goes_up(call, name):
        return {"rises": term_of(span)}
    written = call.text(*LENGTHS[name])
    told = re.fullmatch(r"[\w.]+", written) and warms(written.rpartition(".")[2])
    return {"falls": term_of(span)} if told and _goes_up(call, name) is False else {}


def _goes_up(call: Call, name: str) -> bool | None:
    """Whether a schedule takes the rate up; None where that cannot be told. A cosine rises to a rate above the optimizer's."""
    match name:
        case "PolynomialLR":
            return False
        case "LinearLR":
            ends = worth(call.get(1, "start_factor"), 1 / 3), worth(call.get(2, "end_factor"), 1.0)
        case "CosineAnnealingLR":
            rate, end = call.keeps(call.get(0, "optimizer"), "rate"), worth(call.get(2, "eta_min"), 0)
            ends = (1 if end == 0 else worth(rate) if isinstance(rate, (Const, Symbol)) else None), end
        case _:
            return None
    first, last = ends
    return first < last if isinstance(first, (int, float)) and isinstance(last, (int, float)) and first != last else None


def scheduler_facts(call: Call) -> Mapping[str, Fact | None]:
    """What the length that it is given counts, and whether it goes on: where arguments are hidden, the last epoch may be among
    them."""
    name = call.name.rpartition(".")[2]
    last = call.get(LAST_EPOCHS.get(name, 99), "last_epoch")
    told = name in MEMORYLESS or last not in (None, Const(-1))
    resumed = told or (False if call.complete and (name in LAST_EPOCHS or len(call.args) < 3) else None)
    given = call.get(*LENGTHS[name]) if name in LENGTHS else None
    facts: dict[str, Fact | None] = {"resumed": resumed, "mode": False, "from_zero": False, "twice": False}
    if given is None and name == "OneCycleLR" and (each := call.get(4, "steps_per_epoch")) is not None:
        return {**facts, "length": length(call, each, 4, "steps_per_epoch")}
    return {**facts, **({} if given is None else {"length": length(call, given, *LENGTHS[name])})}


def sequence_of_schedules(call: Call) -> Value:
    """`SequentialLR(optimizer, schedulers, milestones)`: each of them is stepped from one milestone to the next. Where a test has
    chosen the last, by which a sequence is as long as it is, there is one for either outcome."""
    parts = call.get(1, "schedulers")
    match parts:
        case Items(values=(*first, last)):
            return call.each(last, lambda one: _sequence(call, replace(parts, values=(*first, one))))
        case _:
            return _sequence(call, parts)


def _sequence(call: Call, parts: Value | None) -> Value:
    milestones = call.get(2, "milestones")
    spans = [call.keeps(each, "span") for each in parts.values] if isinstance(parts, Items) else []
    ends = list(milestones.values) if isinstance(milestones, Items) else []
    known = len(spans) == len(ends) + 1 > 1
    cut = (_outlasts(spans[1:], ends) or _is_cut(spans[0], ends[0])) if known else None
    counted = {unit(term_of(each)) for each in spans[-1:] if isinstance(each, (Const, Symbol))}  # by the longest, most often
    facts = {**scheduler_facts(call), "cut": cut, "length": next(iter(counted), None)}
    names = {"whole": str(worth(spans[0]))} if cut and len(ends) == 1 and isinstance(spans[0], Const) else {}
    last = spans[-1] if known and ends[-1] not in (Const(0), Const(None)) else None
    keeps = {**scheduler_keeps(call), "last": last, "parts": call.roles(parts, "scheduler")}
    return call.build("scheduler", [call.get(0, "optimizer") or NONE], facts, keeps, names)


def _is_cut(span: object, end: Value) -> bool | None:
    """Whether a schedule is longer than what it has until the next takes over; None where that cannot be told."""
    if not isinstance(span, (Const, Symbol)):
        return None
    long, short = worth(span), worth(end)
    if isinstance(long, (int, float)) and isinstance(short, (int, float)):
        return 0 < short < long
    units = unit(term_of(span)), unit(term_of(end))
    return True if units == ("batches", "epochs") else False if span == end else None


def _outlasts(spans: list[object], ends: list[Value]) -> bool:
    """Whether one of the schedules between two milestones is as long as all up to the second, of which those before it have had
    a share."""
    begun = [before not in (Const(0), Const(None), end) for before, end in itertools.pairwise(ends)]
    return any(later and span == end for later, span, end in zip(begun, spans, ends[1:], strict=False))


def plateau_schedule(call: Call) -> Value:
    """`ReduceLROnPlateau(optimizer, mode)`."""
    given = call.get(1, "mode")
    mode = worth(given, "min") if call.complete or given is not None else None
    other = {"min": "max", "max": "min"}.get(str(mode))
    facts = {**scheduler_facts(call), "mode": str(mode) if other else None}
    names = {"other_mode": f'"{other}"'} if other else {}
    return call.build("scheduler", [call.get(0, "optimizer") or NONE], facts, scheduler_keeps(call), names)


def lambda_schedule(call: Call) -> Value:
    """`LambdaLR(optimizer, function)`: the rate is the optimizer's first, times what the function makes of the step."""
    function = call.get(1, "lr_lambda")
    factor, rate = call.factor(function), call.keeps(call.get(0, "optimizer"), "rate")
    facts = {**scheduler_facts(call), "from_zero": None if factor is None else factor == 0}
    facts["from_one"] = call.counts_from_one(function)
    facts["twice"] = _gives_rate(call, function, rate)
    if call.counts_on(function):
        facts["resumed"] = True
    if (span := call.span_of(function)) is not None:
        facts["length"] = unit(span)
    written = call.text(1, "lr_lambda")
    names = {"shifted": _shifted(written) or UNWRITABLE, "relative": _relative(written) or UNWRITABLE}
    keeps = {**scheduler_keeps(call), **({"rises": span} if factor == 0 and span is not None else {})}
    return call.build("scheduler", [call.get(0, "optimizer") or NONE], facts, keeps, names)


def multiplicative_schedule(call: Call) -> Value:
    """`MultiplicativeLR(optimizer, function)`: each rate is the last one, times what the function makes of the step. One number
    for all steps is a factor, though the rate may be as great."""
    function, rate = call.get(1, "lr_lambda"), call.keeps(call.get(0, "optimizer"), "rate")
    steady = isinstance(rate, Const) and call.factor(function, 1.0) == call.factor(function, 2.0)
    facts = {**scheduler_facts(call), "twice": False if steady else _gives_rate(call, function, rate)}
    names = {"relative": UNWRITABLE}  # a rate by the step is no factor from one step to the next
    return call.build("scheduler", [call.get(0, "optimizer") or NONE], facts, scheduler_keeps(call), names)


def _gives_rate(call: Call, function: Value | None, rate: object) -> bool | None:
    """Whether what a function of the number of a step returns is the optimizer's rate, whichever of several it has; never where
    that is 1."""
    if isinstance(rate, (Const, Symbol, Choice)) and Const(1.0) not in (rates := [*leaves_of(rate)]):
        told = {call.gives_rate(function, each) for each in (rate, *rates)}
        return True if True in told else None if None in told else False
    return False


def _shifted(function: str) -> str:
    """A function of a step as it is written, one step on; empty where it is neither a lambda nor a name."""
    if found := re.fullmatch(r"lambda (\w+): (.+)", function):
        return f"lambda {found[1]}: " + re.sub(rf"\b{found[1]}\b", f"({found[1]} + 1)", found[2])
    return f"lambda step: {function}(step + 1)" if re.fullmatch(r"[\w.]+", function) else ""


def _relative(function: str) -> str:
    """A lambda that gives a learning rate, as a multiple of that; empty where it names none."""
    found, rate = re.fullmatch(r"lambda (\w+): (.+)", function), re.search(_RATE, function)
    return f"lambda {found[1]}: {found[2]} / {rate[0]}" if found and rate and _is_product(found[2]) else ""


_RATE = r"[\w.]*\b(?:\w*_)?(?:lr|learning_rate)\b(?!\[)"
"""A learning rate as it is called; what has several is none."""


def _is_product(code: str) -> bool:
    """Whether code, on however many lines, is one expression that may be divided as it stands."""
    return isinstance(ast.parse(f"({code})", mode="eval").body, ast.BinOp | ast.Call) and not re.search(r" [+-] ", code)


def length(call: Call, given: Value, place: int, name: str) -> str | None:
    """What a number counts, by how it was computed; of a literal, by what it is called. Of several, `[epochs // 2, epochs]`, the
    same, where all are computed alike. What batches are divided by may be a number, and called what a window takes. Milestones
    are called steps whatever they count."""
    if isinstance(given, Items):
        counted = {unit(term_of(each)) for each in given.values}
        return counted.pop() if len(counted) == 1 else None
    if isinstance(given, Const):
        return of_name(call.text(place, name))
    counts = unit(term_of(given))
    divisor = re.search(r"/ *([\w.]+)\)*$", call.formula(place, name)) if counts == "iterations" else None
    if counts == "updates" and name in ("milestones", "step_size"):
        return None
    return "steps" if divisor and of_window(divisor[1]) else counts


def spawn(call: Call) -> Value:
    """`spawn(fn, args=(…))`: the function runs in processes of its own, first told its rank."""
    args = call.get(1, "args")
    call.invoke(
        call.args[0] if call.args else call.keywords.get("fn", NONE),
        (call.unknown("rank"), *(args.values if isinstance(args, Items) else ())),
    )
    return NONE


def process(call: Call) -> Value:
    """`Process(target=fn, args=(…))`, to be started."""
    args = call.get(3, "args")
    call.invoke(call.get(1, "target") or NONE, args.values if isinstance(args, Items) else ())
    return NONE


_AMP = ["torch.amp", "torch.amp.grad_scaler", "torch.cuda.amp", "torch.cuda.amp.grad_scaler", "torch.cpu.amp"]


def distributed(call: Call) -> Value:
    """`DistributedDataParallel(model)`: from here on there are several processes, each with the model, if it is in a group."""
    if call.alone:
        return parallel(call)
    call.keep(call.get(0, "module"), ranks=True, joined=call.in_group, wrapped=True)
    if roles := call.roles(call.get(0, "module"), "model"):
        call.emit("replicate", roles)
    return Same()(call)


def parallel(call: Call) -> Value:
    """`DataParallel(model)`."""
    call.keep(call.get(0, "module"), wrapped=True)
    return Same()(call)


_DISTRIBUTED = ["torch.nn.parallel.DistributedDataParallel", "torch.nn.parallel.distributed.DistributedDataParallel"]
_WRAPPERS = [
    "torch.nn.SyncBatchNorm.convert_sync_batchnorm", "torch.jit.script", "torch.jit.trace",
    "torch.distributed.tensor.parallel.parallelize_module",
]  # fmt: skip


def gathered(call: Call) -> Value:
    """What is put together from several parts: a loss of it may be one of all of them, and of probabilities alone it is some."""
    given = Items((*call.args, *call.keywords.values()))
    tensor = tensor_in(given)
    if tensor is None:
        return call.pure()
    parts = [each for each in parts_of(given) if isinstance(each, Tensor)]
    hows = [each.each.activation for each in parts]  # of lists, what all that they hold was put through
    return replace(tensor.made("mixed"), activation=agreed(hows) if {*hows} in ({"sigmoid"}, {"softmax"}) else "")


def compiled(call: Call) -> Value:
    """`torch.compile(model)` hands back the model, or a function that does the same; without either, what will do so."""
    what = call.get(0, "model")
    call.keep(what, wrapped=True)
    return what if what is not None and not isinstance(what, Const) else Partial(Api("torch.compile"))


def checkpointed(call: Call) -> Value:
    """`checkpoint(function, *args)`: the function is called, and once more in the backward."""
    return call.invoke(call.args[0], call.args[1:]) if call.args else NONE


def checkpointed_parts(call: Call) -> Value:
    """`checkpoint_sequential(functions, segments, input)`."""
    given = call.get(2, "input")
    return call.invoke(call.args[0], () if given is None else (given,)) if call.args else NONE


_OF_GROUPS = ["torch.distributed", "torch.distributed.distributed_c10d"]
_MACHINE = ["backends.mps.is_available", "cuda.device_count", "cuda.is_available", "cuda.is_bf16_supported", "xpu.is_available"]
FUNCTIONS: Mapping[str, Row] = {
    "torch.compile": compiled,
    "torch.cuda.empty_cache": trimmed,
    "torch.cuda.memory.empty_cache": trimmed,
    "torch._dynamo.optimize": compiled,
    **{f"{module}.init_process_group": joins_group for module in _OF_GROUPS},
    **{f"{module}.is_initialized": is_in_group for module in _OF_GROUPS},
    **{f"{module}.{name}": question for module in _OF_GROUPS for name in ("get_rank", "get_world_size", "is_available")},
    **{f"torch.{name}": question for name in ("device", *_MACHINE)},
    "torch.utils.checkpoint.checkpoint": checkpointed,
    "torch.utils.checkpoint.checkpoint_sequential": checkpointed_parts,
    **{f"torch.{name}": gathered for name in ("cat", "concat", "concatenate", "hstack", "vstack")},
    "torch.multiprocessing.spawn": spawn,
    "torch.multiprocessing.spawn.spawn": spawn,
    "torch.multiprocessing.Process": process,
    "multiprocessing.Process": process,
    **{
        f"torch.optim.lr_scheduler.{name}": Builds("scheduler", ((0, "optimizer"),), scheduler_facts, scheduler_keeps)
        for name in SCHEDULERS
    },
    "torch.optim.lr_scheduler.LambdaLR": lambda_schedule,
    "torch.optim.lr_scheduler.MultiplicativeLR": multiplicative_schedule,
    "torch.optim.lr_scheduler.SequentialLR": sequence_of_schedules,
    "torch.optim.lr_scheduler.ReduceLROnPlateau": plateau_schedule,
    "torch.optim.lr_scheduler.*": Builds("scheduler", ((0, "optimizer"),), keeps=lambda call: {"known": True}),
    **{f"{amp}.GradScaler": scaler for amp in _AMP},
    "torch.utils.data.DataLoader": loader,
    "torch.utils.data.dataloader.DataLoader": loader,
    **{f"torch.utils.data.{name}": Builds("sampler", ((0, "sampler"),)) for name in SAMPLERS},
    **{f"torch.utils.data.sampler.{name}": Builds("sampler", ((0, "sampler"),)) for name in SAMPLERS},
    "torch.utils.data.DistributedSampler": Builds("sampler", keeps=sampler_keeps),
    "torch.utils.data.distributed.DistributedSampler": Builds("sampler", keeps=sampler_keeps),
    **{f"torch.nn.utils.{name}": clip for name in CLIPS},
    **{f"torch.nn.utils.clip_grad.{name}": clip for name in CLIPS},
    **{name: Same() for name in _WRAPPERS},
    **dict.fromkeys(_DISTRIBUTED, distributed),
    **dict.fromkeys(["torch.nn.DataParallel", "torch.nn.parallel.DataParallel"], parallel),
    "torch.no_grad": Scoped(grad=False),
    "torch.autograd.no_grad": Scoped(grad=False),
    "torch.inference_mode": Scoped(grad=False),
    "torch.enable_grad": Scoped(grad=True),
    "torch._C._set_grad_enabled": grad_mode,
    "torch.set_grad_enabled": grad_mode,
    "torch.autograd.set_grad_enabled": grad_mode,
    "torch.is_grad_enabled": lambda call: NONE if call.grad is None else Const(call.grad),
    "torch.autograd.backward": backward_of,
    "torch.autograd.grad": gradients_of,
    "torch.autocast": autocast,
    "torch.amp.autocast": autocast,
    "torch.amp.autocast_mode.autocast": autocast,
    "torch.cuda.amp.autocast": autocast,
    "torch.cpu.amp.autocast": autocast,
    "contextlib.nullcontext": Scoped(),
    "contextlib.suppress": Scoped(),
}


def parameters(call: Call) -> Value:
    roles = frozenset(call.roles(call.me, "model"))
    return call.once(Params(roles, open=not roles))


def requires_grad_(call: Call) -> Value:
    wanted = worth(call.get(0, "requires_grad"), True)
    call.freeze(call.roles(call.me, "model"), None if wanted is None else not wanted)
    return call.me or NONE


class Casts(Same):
    """`model.half()`, `model.to(dtype)`: where that names a type, its weights are of that from here on."""

    def __call__(self, call: Call) -> Value:
        given = (*call.args, *call.keywords.values())
        named = next((_TYPES[each.name] for each in given if isinstance(each, Api) and each.name in _TYPES), None)
        to = _CASTS.get(call.name) or named
        if to or len(call.args) > 1 or "dtype" in call.keywords:
            call.emit("cast", call.roles(call.me, "model"), {"to": to})
        return super().__call__(call)


_CASTS = {"half": "float16", "bfloat16": "bfloat16", "float": "float32", "double": "float64"}
_TYPES = {
    f"torch.{name}": each for each in _CASTS.values() for name in (each, *(old for old, to in _CASTS.items() if to == each))
}


def applied(call: Call) -> Value:
    """`model.apply(function)`: what the function does to each part, it may put them in another mode."""
    function = call.args[0] if call.args else NONE
    said = words(term_of(function).text.rpartition(".")[2])
    if said & INITIALIZES or call.says(function, {"init", "reset_parameters", *OVERWRITES}):
        call.redrawn(call.me)
    says = call.says(function, {"eval", "setattr", "train", "training"})
    if says and call.for_each_part(function):
        return call.me or NONE
    if says or (says is None and not said & (ANEW | HARMLESS)):
        call.emit("escape", call.roles(call.me, "model"))
    return call.me or NONE


_RETURNS_ITSELF = ["cuda", "cpu", "xpu", "npu", "compile", "share_memory", "to_empty"]

METHODS: Mapping[tuple[str, str], Row] = {
    ("optimizer", "step"): optimizer_step,
    ("optimizer", "register_step_pre_hook"): _hooked("before_step"),
    ("optimizer", "register_step_post_hook"): _hooked("after_step"),
    ("optimizer", "zero_grad"): cleared,
    ("model", "apply"): applied,
    ("model", "zero_grad"): cleared,
    ("model", "train"): model_train,
    ("model", "eval"): model_eval,
    ("model", "parameters"): parameters,
    ("model", "named_parameters"): parameters,
    ("model", "requires_grad_"): requires_grad_,
    ("model", "no_sync"): Scoped(),
    ("model", "join"): Scoped(),
    **{("model", name): Same() for name in _RETURNS_ITSELF},
    **{("model", name): Casts() for name in ("to", "type", *_CASTS)},
    ("scaler", "is_enabled"): scaler_is_enabled,
    ("scaler", "scale"): scaler_scale,
    ("scaler", "step"): scaler_step,
    ("scaler", "unscale_"): scaler_unscale,
    ("scaler", "update"): Does("update"),
    ("scheduler", "step"): scheduler_step,
    ("sampler", "set_epoch"): set_epoch,
    ("loader", "set_epoch"): set_epoch,
}

BASES: Mapping[str, str] = {
    "torch.optim.Optimizer": "optimizer",
    "torch.optim.optimizer.Optimizer": "optimizer",
    **{f"torch.optim.lr_scheduler.{name}": "scheduler" for name in SCHEDULERS},
    **{f"{amp}.GradScaler": "scaler" for amp in _AMP},
}
DIFFERENTIABLE = {"torch", "torchaudio"}

ATTRIBUTES: Mapping[tuple[str, str], str | Look] = {
    **{("model", held): "model" for held in HOLDERS.values()},
    **{("model", name): constant for name in ("config", "device", "dtype")},
    ("loader", "sampler"): "sampler",
    ("loader", "batch_sampler"): "sampler",
    ("sampler", "sampler"): "sampler",
    ("scheduler", "optimizer"): "optimizer",
}
AS_MODULE = {
    "()", "cpu", "cuda", "eval", "forward", "load_state_dict", "module", "named_parameters", "parameters", "state_dict", "to",
    "train", "zero_grad",
}  # fmt: skip
ASSUMED = {"eval": "model", "train": "model", "zero_grad": "optimizer"}
MODES = {("model", "training")}
NAMED_BASES = {"Module": "model", "PreTrainedModel": "model"}
SWITCHED_BY = {("model", "train")}
SUMMING = {"reduction": "sum", "size_average": False}
SWITCHES = {"_set_grad_enabled", "set_grad_enabled"}

"""Optimizers: torch's own, and the packages of nothing but optimizers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import reduce

from loopcheck.loop import Fact, Role
from loopcheck.read.domain.parts import entries_of, leaves_of, term_of
from loopcheck.read.domain.values import NONE, Choice, Items, Params, Symbol, Value
from loopcheck.read.vocabulary import Builds, Call, Row, Same, plain, worth
from loopcheck.words import means_penalty

# torch.optim, 2.13
_OF_TORCH = [
    "ASGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "LBFGS", "Muon", "NAdam", "Optimizer", "RAdam",
    "RMSprop", "Rprop", "SGD", "SparseAdam",
]  # fmt: skip
_DECAYS_BY_DEFAULT = re.compile(
    r"torch\.optim\.(\w+\.)?(AdamW|Muon)$|timm\.optim\.(\w+\.)?(AdamW|AdamWLegacy|NAdamW)$|torch_xla\.amp\.syncfree\.(\w+\.)?AdamW$"
    r"|bitsandbytes\.optim\.(\w+\.)?(Paged)?(AdamW|AdEMAMix)(8bit|32bit)?$|apex\.optimizers\.(\w+\.)?Fused(MixedPrecision)?(LAMB|Lamb)$"
    r"|pytorch_pretrained_bert\.(\w+\.)?BertAdam$"
)
NEGLIGIBLE = 1e-6
"""A weight decay that changes nothing that could be measured: at lr 1e-3 less than a part in a thousand over 10^6 steps."""


def optimizer_facts(call: Call) -> Mapping[str, Fact | None]:
    family = call.name.rpartition(".")[2]
    decay = call.get(99, "weight_decay")
    if decay is None and not call.complete:
        decays: bool | None = None
    elif decay is None:
        decays = _DECAYS_BY_DEFAULT.match(call.name) is not None
    else:
        given = worth(decay if not isinstance(decay, Symbol) else decay.default)
        decays = abs(given) > NEGLIGIBLE if isinstance(given, (int, float)) else None
    return {
        "family": _decoupled(call, family.lower()),
        "decays": decays,
        "decay": "default" if decay is None else "explicit",
        "penalty": means_penalty(call.options),
        "one_group": _with_vectors(call, call.get(0, "params")),
        "anew": None if _remembers(call, family) else False,
    }


def _decoupled(call: Call, family: str) -> str | None:
    """An Adam that is told to decay apart from the gradient is an AdamW."""
    told = worth(call.get(99, "decoupled_weight_decay"), False) if call.complete else None
    return family if family != "adam" or told is False else "adamw" if told is True else None


def _remembers(call: Call, family: str) -> bool:
    """SGD keeps nothing from step to step but a momentum, where it has one: whoever makes an option of it has one, unless that
    is 0 where nobody sets it."""
    momentum = call.get(2, "momentum")
    usual = momentum.default if isinstance(momentum, Symbol) else momentum
    return family != "SGD" or (momentum is not None and worth(usual) not in (0, 0.0))


def _with_vectors(call: Call, params: Value | None) -> bool | None:
    """All of whole models' parameters under one set of options, vectors among them; where all are flattened none shows."""
    if call.keeps(params, "flat"):
        return None
    return False if call.keeps(params, "vectors") is False else _one_group(params)


def _one_group(params: Value | None) -> bool | None:
    """All of whole models' parameters under one set of options."""
    match params:
        case Choice(_, then, other) if _one_group(then) == _one_group(other):
            return _one_group(then)
        case Params(whole=True, grouped=False, models=models) if models and not any(model.part_of for model in models):
            return True
        case Items(values) if values and all(isinstance(value, Items) and value.keys for value in values):
            groups = [dict(zip(value.keys or (), value.values, strict=False)) for value in values if isinstance(value, Items)]
            if any("weight_decay" in group for group in groups):
                return False
            return True if all(_one_group_of_whole(group.get("params")) for group in groups) else None
        case _:
            return None


def _one_group_of_whole(params: Value | None) -> bool:
    return params is not None and all(isinstance(each, Params) and each.whole and not each.grouped for each in leaves_of(params))


def some_optimizer_facts(call: Call) -> Mapping[str, Fact | None]:
    """Of an optimizer class whose name is not known; neither is its default of a decay."""
    facts = optimizer_facts(call)
    return {**facts, "family": None, "anew": False, "decays": None if facts["decay"] == "default" else facts["decays"]}


def _kept(call: Call) -> Mapping[str, object]:
    """rate: that of all parameters, for groups may have rates of their own. without: the models that it was not given."""
    either = [_together(each) for each in leaves_of(call.get(0, "params") or NONE) if each != Items(())]
    for params in either:
        if params is not None:
            call.take(params)
    left_out = [call.left_out(params) for params in either if params is not None]
    if len(left_out) < len(either):
        return {}
    rate = {} if any(_has_own_rates(each) for each in leaves_of(call.get(0, "params") or NONE)) else {"rate": call.get(1, "lr")}
    return {**rate, "without": frozenset[Role]().union(*left_out)}


def _has_own_rates(groups: Value) -> bool:
    """Whether one of several groups says its rate, to which the optimizer's is nothing."""
    return isinstance(groups, Items) and any("lr" in entries_of(each) for each in groups.values)


def _together(params: Value) -> Params | None:
    """Parameters as one, of a list that a loop has put them into and of groups, too; None of what is more than those."""
    match params:
        case Params():
            return params
        case Items(keys=tuple()):
            return _together(entries_of(params).get("params", NONE))
        case Items(values) if values:
            parts = [part for each in values if (part := _together(each)) is not None]
            return reduce(Params.merged, parts) if len(parts) == len(values) else None
        case _:
            return None


optimizer = Builds("optimizer", ((0, "params"),), optimizer_facts, _kept)
"""The row of an optimizer class."""


def _warmup_kept(call: Call) -> Mapping[str, object]:
    """Of a warm-up that dampens another schedule, how long it takes the rate up."""
    length = call.get(1, "warmup_period")
    return {} if length is None else {"rises": term_of(length)}


FUNCTIONS: Mapping[str, Row] = {
    **{f"torch.optim.{name}": optimizer for name in _OF_TORCH},
    "torch.optim.*": Builds("optimizer", ((0, "params"),), some_optimizer_facts),
    **{f"torch.optim.{name.lower()}.{name}": optimizer for name in _OF_TORCH},
    **dict.fromkeys(("torch_optimizer.Lookahead", "pytorch_optimizer.Lookahead", "timm.optim.Lookahead"), Same()),
    "schedulefree.ScheduleFreeWrapper": Same(),
}
FAMILIES: list[tuple[str, Row]] = [
    (
        r"(bitsandbytes\.optim|deepspeed\.ops\.(adam|lamb|lion|adagrad)|torch_optimizer|pytorch_optimizer|lion_pytorch|prodigyopt"
        r"|schedulefree|muon|came_pytorch|adabelief_pytorch|adan_pytorch|dadaptation|madgrad|pytorch_pretrained_bert(?=\.\w*\.?\w+Adam$))"
        r"\.(\w+\.)?(?!\w*(Scheduler|LR|Warmup|Loss|SAM|Manager|Wrapper)\b)[A-Z]\w+$",
        optimizer,
    ),
    (
        r"pytorch_warmup\.(\w+\.)?(Linear|Exponential)Warmup$",
        Builds("warmup", ((0, "optimizer"),), keeps=_warmup_kept),
    ),
]


def group_added(call: Call) -> Value:
    """`optimizer.add_param_group(group)`: what it was not given before it may have now."""
    call.emit("escape", call.roles(call.me, "optimizer"))
    return NONE


METHODS: Mapping[tuple[str, str], Row] = {
    ("optimizer", "add_param_group"): group_added,
    **{("optimizer", mode): plain for mode in ("train", "eval")},  # which weights a schedule-free optimizer shows
}
PURE = {"bitsandbytes", "schedulefree", "torch_optimizer"}

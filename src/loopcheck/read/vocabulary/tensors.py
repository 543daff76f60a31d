"""Tensors and their gradients: what is no tensor any more, what keeps the graph, what changes gradients in place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from loopcheck.api import ACTIVATIONS, LIMITS, LOGGED, OVERWRITES, TENSOR_MAKERS
from loopcheck.loop import Fact
from loopcheck.read.domain import health
from loopcheck.read.domain.choices import Limited, agreed
from loopcheck.read.domain.parts import parts_of, tensor_in, term_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import NONE, Const, Items, Object, Tensor, Value
from loopcheck.read.vocabulary import Call, Row, methods
from loopcheck.words import LOSSES, words


def detached(tensor: Tensor) -> Value:
    """The numbers of a tensor, cut from its graph."""
    return tensor.detached()


def number(tensor: Tensor) -> Value | None:
    """What says nothing of a tensor's values."""
    return None


def requires_grad(tensor: Tensor) -> Value | None:
    """True of what a network puts out; of what code out of sight has had nobody knows: it may be cut there."""
    seen = all(each.how != "hidden" for each in tensor.history)
    return Const(True) if tensor.models and seen else None


def cut(call: Call) -> Value:
    """`loss.detach()`, `loss.item()`. An output that is cut may be learned from; a loss is there to be looked at."""
    if not isinstance(call.me, Tensor):
        return call.pure()
    detaches = call.name.endswith(("detach", "detach_"))
    call.take_numbers(call.me, as_tensor=detaches and words(call.receiver).isdisjoint(LOSSES))
    if call.name.endswith("detach_"):
        call.let_go(call.me)
    return detached(call.me)


def as_array(call: Call) -> Value:
    """`out.numpy()`, which raises where there is a graph: that it is asked of what a network puts out says that there is none."""
    if isinstance(call.me, Tensor):
        call.without_graph(call.me)
    return cut(call)


def needs_grad(call: Call) -> Value:
    """`x.requires_grad_()`: what is cut stays so, and what is computed of it has a graph that ends in it."""
    if isinstance(call.me, Tensor) and call.get(0, "requires_grad") != Const(False):
        call.leaf(call.me)
    return call.me or NONE


def again(call: Call) -> Value:
    """`torch.tensor(loss)`: a new tensor of the same numbers."""
    tensor = tensor_in(call.args[0]) if call.args else None
    if tensor is None:
        return maker(call)
    call.take_numbers(tensor)
    return leafed(call, detached(tensor))


def as_it_is(call: Call) -> Value:
    """`torch.as_tensor(loss)`, `Variable(loss)`: a tensor is handed back, with its graph if it has one."""
    tensor = tensor_in(call.args[0]) if call.args else None
    return leafed(call, tensor) if tensor else call.pure()


WRAPPING = {"torch.autograd.Variable", "torch.autograd.variable.Variable"}


def variable(call: Call) -> Value:
    """`Variable(x)`; before torch 0.4 with `volatile=True` of data nothing that was computed of it kept a graph."""
    made = as_it_is(call)
    if call.keywords.get("volatile", Const(False)) == Const(False):
        return made
    return (made if isinstance(made, Tensor) else Tensor(term_of(made))).made("volatile")


def parameter(call: Call) -> Value:
    """`nn.Parameter(features)`: the numbers of a tensor, to be trained."""
    tensor = tensor_in(call.args[0]) if call.args else None
    if tensor:
        call.leaf(tensor)
    return tensor or call.trainable()


def maker(call: Call) -> Value:
    """`torch.zeros(1)`; with `requires_grad=True` one that may be trained."""
    return call.pure() if call.keywords.get("requires_grad", Const(False)) == Const(False) else call.trainable()


def leafed(call: Call, tensor: Value) -> Value:
    """With `requires_grad=True` it has a gradient of its own."""
    if isinstance(tensor, Tensor) and call.keywords.get("requires_grad", Const(False)) != Const(False):
        call.leaf(tensor)
    return tensor


def told(call: Call) -> Value:
    """A number about a tensor."""
    of, name = call.me or call.get(0, "input") or NONE, call.name.rpartition(".")[2]
    if name in _PICKING and isinstance(of, Tensor):
        call.take_numbers(of)
        return _picked(call, of, name)
    return call.derived(of, name)


def _picked(call: Call, of: Tensor, name: str) -> Value:
    """Where numbers of a tensor stand: a tensor that is cut from its graph, where it has one for sure."""
    place = call.derived(of, name)
    return replace(of.detached().used, term=term_of(place)) if of.cut is not None else place


def pictured(call: Call) -> Value:
    """`save_image(out, path)`: the numbers of tensors are shown, or kept in a file; what comes of it has no graph."""
    call.write_out(parts_of(Items((*call.args, *call.keywords.values()))))
    return call.pure()


def asks_finite(call: Call) -> Value:
    """`torch.isfinite(loss)`, `math.isnan(norm)`."""
    of = call.me if call.me is not None else call.get(0, "input") or NONE
    return health.asked(of, call.name.endswith("isfinite")) or call.pure()


def inverted(call: Call) -> Value:
    """`torch.logical_not(torch.isfinite(loss))`."""
    of = call.me if call.me is not None else call.get(0, "input") or NONE
    return health.opposite(of) or call.derived(of, "logical_not")


def placed(call: Call) -> Value:
    """`scores.max(dim=1)`, `torch.topk(scores, 5)`: numbers that keep their graph, and where they stood, which has none."""
    tensor, others = (call.me, call.args) if call.me is not None else (call.get(0, "input") or NONE, call.args[1:])
    name = call.name.rpartition(".")[2]
    apart = name in _SORTING or isinstance(call.get(len(call.args) - len(others), "dim"), Const)
    whole = tensor_in(Items((tensor, *others)))
    if whole is None:
        return call.pure()
    if not apart or not isinstance(tensor, Tensor):  # the larger of two, or of all
        return call.computed(replace(whole, lost=frozenset(), activation="") if others else whole.used)
    call.take_numbers(tensor)
    return Items((call.computed(tensor.used), _picked(call, tensor, name)))


def curved(call: Call) -> Value:
    """`F.softplus(margin)`: of a share this makes none."""
    tensor = call.me if isinstance(call.me, Tensor) else tensor_in(Items((*call.args, *call.keywords.values())))
    return call.computed(tensor.undivided) if tensor else call.pure()


_CURVED = ("expm1", "gelu", "log1p", "logit", "logsigmoid", "silu", "softplus", "tanh")
_SORTING = frozenset({"kthvalue", "sort", "topk"})
_EXTREMES = frozenset({"max", "median", "min", "mode"})


def backward(call: Call) -> Value:
    """`loss.backward()`; of what is no tensor, with a loss given, that of an engine out of sight, which may scale and divide."""
    if call.args and not isinstance(call.me, Tensor):
        facts: Mapping[str, Fact | None] = {
            "managed": bool(tensor_in(call.args[0])) or None,
            "scaled": None,
            "averaged": None,
        }
        return call.backward(call.args[0], facts)
    given: Mapping[str, Fact | None] = {"averaged": None} if call.args else {}  # what is handed in may be a share already
    return call.backward(call.me, given, {"loss": call.receiver, "options": call.options})


_SWITCHES = {"train": "train", "eval": "evaluate"}


def of_models(call: Call) -> Value:
    """What code out of sight made of models is no tensor after all, if it has a module's methods."""
    models = call.me.models if isinstance(call.me, Tensor) else ()
    if not models:
        return call.me or NONE
    if len(models) > 1 and (verb := _SWITCHES.get(call.name)):  # one of them, nobody knows which
        call.emit(verb, (), open=True)
        return call.me or NONE
    return methods()[("model", call.name)](call.on(Items(tuple(Object(model) for model in models))))


def modules_of(call: Call) -> Value:
    """`for layer in wrapped.modules()`: what is done to one of a network's modules is not done to the network."""
    return call.unknown("modules")


def made(how: str) -> Row:
    """An operation that is kept in a tensor's history."""

    def row(call: Call) -> Value:
        return call.computed(call.me.made(how)) if isinstance(call.me, Tensor) else call.pure()

    return row


def packed(call: Call) -> Value:
    """`pack_padded_sequence(scores, lengths)`: a named tuple, whose field `data` is what was packed, with its graph."""
    tensor = tensor_in(call.args[0]) if call.args else None
    return tensor.made("packed") if tensor else call.pure()


def activated(how: str) -> Row:
    """`torch.softmax(logits, 1)`, `logits.softmax(1)`: what makes probabilities of a tensor, or their logarithms."""

    def row(call: Call) -> Value:
        tensor = call.me if isinstance(call.me, Tensor) else tensor_in(call.args[0]) if call.args else None
        made = call.computed(tensor.undivided) if tensor else call.pure()
        if tensor is None or not isinstance(made, Tensor):
            return made
        made = replace(made, activation=call.activation(how, tensor))
        return call.of_probabilities(made) if how.startswith("log") else made

    return row


def limited(call: Call) -> Value:
    """`torch.clamp(probabilities, 1e-7, 1)`: numbers within limits, which probabilities are still."""
    whole = tensor_in(Items((*((call.me,) if call.me is not None else ()), *call.args, *call.keywords.values())))
    if whole is None:
        return call.pure()
    tensor, made = call.me if call.me is not None else call.get(0, "input"), call.computed(whole)
    if not isinstance(made, Tensor) or not isinstance(tensor, Tensor):
        return made
    return replace(made, activation=tensor.limited.activation)


def stacked(call: Call) -> Value:
    """`torch.stack(outputs)`: one more dimension, and of all that have been put through the same it has been, too."""
    given = Items((*call.args, *call.keywords.values()))
    whole = tensor_in(given)
    if whole is None:
        return call.pure()
    parts = [each for each in parts_of(given) if not isinstance(each, (Items, Const))]
    hows = [each.each.activation if isinstance(each, Tensor) else "" for each in parts]
    how, made = agreed(hows), call.computed(whole)
    return replace(made, activation=how) if how in ACTIVATIONS and isinstance(made, Tensor) else made


def exponential(call: Call) -> Value:
    """`torch.exp(log_probabilities)`, which are probabilities then."""
    tensor = call.me if isinstance(call.me, Tensor) else tensor_in(call.args[0]) if call.args else None
    made = call.computed(tensor.undivided) if tensor else call.pure()
    whole = tensor is not None and tensor.activation == "log_softmax"
    return replace(made, activation=call.activation("softmax")) if whole and isinstance(made, Tensor) else made


def logarithm(call: Call) -> Value:
    """`torch.log(probabilities)`: by itself the logarithm of what has been rounded."""
    tensor = call.me if isinstance(call.me, Tensor) else tensor_in(call.args[0]) if call.args else None
    made = call.computed(tensor.undivided) if tensor else call.pure()
    if tensor is None or not isinstance(made, Tensor):
        return made
    whole = tensor.activation == "softmax" and not isinstance(tensor.activation, Limited)
    told = replace(call.of_probabilities(replace(made, activation=tensor.activation)), activation="")
    return replace(told, activation=call.activation(LOGGED)) if whole else told


def of_gradient(call: Call) -> Value:
    """A method of a gradient: `zero_` clears it, and what else ends in `_` changes it in place, by which it may be limited."""
    me = call.me or NONE
    if call.name == "zero_":
        call.cleared(me)
        return NONE
    if call.name == "detach":  # of the same numbers
        return me
    if call.name.endswith("_"):
        call.edited(me, _LIMITS.get(call.name), added=call.name in ("add_", "sub_"))
    if call.name in OVERWRITES:  # nothing is left of what was added up, and of what was computed neither: that was meant
        call.emit("zero_grad", (), open=True)
    return Tensor(Term("gradient"))


_LIMITS = {"mul_": "norm", "clamp_": "value", "clip_": "value"}
"""What a function that clips by hand does to gradients, and what it goes by."""


_PICKING = frozenset({"argmax", "argmin", "argsort", "bernoulli", "multinomial"})
"""Functions and methods that pick by the numbers of a tensor."""
ABOUT = frozenset({
    "backward_hooks", "data_ptr", "dim", "element_size", "get_device", "is_contiguous", "is_floating_point", "nelement",
    "ndimension", "numel", "storage_offset", "stride",
})  # fmt: skip
_ABOUT = _PICKING | ABOUT
"""Methods whose results have no graph, whatever the tensor's is."""
_FINITE = ("isfinite", "isinf", "isnan")
TENSORS: Mapping[str, Callable[[Tensor], Value | None]] = {
    **dict.fromkeys(("shape", "device", "dtype", "ndim", "is_leaf", "grad_fn", "size"), number),
    "data": detached,
    "requires_grad": requires_grad,
}
METHODS: Mapping[tuple[str, str], Row] = {
    ("tensor", "backward"): backward,
    **{("tensor", name): of_models for name in ("eval", "named_parameters", "parameters", "train", "zero_grad")},
    **{("tensor", name): modules_of for name in ("children", "modules", "named_children", "named_modules")},
    **{("tensor", name): cut for name in ("detach", "item", "tolist", "detach_", "cpu_item")},
    ("tensor", "numpy"): as_array,
    ("tensor", "requires_grad_"): needs_grad,
    **{("tensor", name): told for name in _ABOUT},
    **{("tensor", name): asks_finite for name in _FINITE},
    ("tensor", "logical_not"): inverted,
    **{("tensor", name): placed for name in (*_SORTING, *_EXTREMES)},
    **{("tensor", name): activated(name) for name in ACTIVATIONS},
    ("tensor", "sum"): made("summed"),
    ("tensor", "exp"): exponential,
    **{("tensor", name): limited for name in LIMITS},
    ("tensor", "log"): logarithm,
    **{("tensor", name): curved for name in _CURVED},
    ("gradient", "*"): of_gradient,
}
FUNCTIONS: Mapping[str, Row] = {
    **{f"torch.nn.utils.rnn.{name}": packed for name in ("pack_padded_sequence", "pack_sequence")},
    **dict.fromkeys(TENSOR_MAKERS, maker),
    **{f"{module}.{name}": asks_finite for module in ("torch", "math", "numpy") for name in _FINITE},
    "torch.tensor": again,
    "torch.exp": exponential,
    **{f"torch.{name}": limited for name in LIMITS},
    "torch.stack": stacked,
    **{f"torch.{name}": told for name in _PICKING},
    **{f"torchvision.utils.{name}": pictured for name in ("make_grid", "save_image")},
    **{f"torchvision.transforms.{module}to_pil_image": pictured for module in ("functional.", "v2.functional.")},
    "torch.logical_not": inverted,
    **{f"{torch}.{name}": curved for torch in ("torch", "torch.nn.functional") for name in _CURVED},
    **{f"torch.{name}": placed for name in (*_SORTING, *_EXTREMES)},
    "torch.log": logarithm,
    **dict.fromkeys(("torch.nn.Parameter", "torch.nn.parameter.Parameter"), parameter),
    **{f"{torch}.{name}": activated(name) for torch in ("torch", "torch.nn.functional") for name in ACTIVATIONS},
    **{f"torch.{name}": as_it_is for name in ("as_tensor", "from_numpy")},
    **dict.fromkeys(WRAPPING, variable),
}
SPREADS: Mapping[str, Callable[[float, float, float], float]] = {
    **{f"{torch}.linspace": lambda first, last, share: first + (last - first) * share for torch in ("numpy", "torch")},
    **{f"{torch}.logspace": lambda first, last, share: 10.0 ** (first + (last - first) * share) for torch in ("numpy", "torch")},
    "numpy.geomspace": lambda first, last, share: first * (last / first) ** share if first * last > 0 else 0.0,
}
"""Functions that spread numbers between two, which are their first arguments: what is at a share of the way between these."""
ASSUMED = {"backward": "tensor", "requires_grad_": "tensor"}
OPERATORS = {
    **dict.fromkeys(("div", "divide", "true_divide"), "/"),
    **dict.fromkeys(("mul", "multiply"), "*"),
}
"""Functions and methods that are operators by another name: `loss.div(steps)`, and `loss.div_(steps)` in place."""

"""Names in torch and its frameworks that more than one part of the house goes by. What a call means stands on its page."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import NamedTuple

CLIPS: Mapping[str, str | None] = {
    "clip_grad_norm_": "norm",
    "clip_grad_norm": "norm",
    "clip_grad_value_": "value",
    "clip_grads_with_norm_": None,
}
"""Every clip of `torch.nn.utils`, and what it goes by; the last is told the norm."""

CLIP_LIMITS = ("max_norm", "clip_value")
"""What the second argument of a clip is called, the limit."""


class Mode(NamedTuple):
    """What makes a layer differ between train and eval mode: its option, the place of that among its arguments, and its worth
    where nothing is said."""

    place: int
    option: str
    default: bool | float


AUTOGRAD_OFF = frozenset({"inference_mode", "no_grad"})
"""The context managers, and decorators, under which nothing is recorded."""

DROPOUT_LAYERS = frozenset({"Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout"})
"""The layers that drop while they are in train mode, in which they are made."""

_STATISTICS, OWN_STATISTICS = Mode(4, "track_running_stats", True), Mode(4, "track_running_stats", False)
_DROPPED = Mode(0, "p", 0.5)

MODED: Mapping[str, Mode] = {
    **dict.fromkeys(DROPOUT_LAYERS, _DROPPED),
    **dict.fromkeys(["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm"], _STATISTICS),
    **{f"Lazy{kind}Norm{rank}d": _STATISTICS._replace(place=3) for kind in ("Batch", "Instance") for rank in (1, 2, 3)},
    **dict.fromkeys(["InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"], OWN_STATISTICS),
    "LSTM": Mode(5, "dropout", 0.0),
    "GRU": Mode(5, "dropout", 0.0),
    "RNN": Mode(6, "dropout", 0.0),
    "MultiheadAttention": Mode(2, "dropout", 0.0),
    "Transformer": Mode(5, "dropout", 0.1),
    "TransformerEncoderLayer": Mode(3, "dropout", 0.1),
    "TransformerDecoderLayer": Mode(3, "dropout", 0.1),
}
"""The layers of torch that may differ between the modes, by class."""

MODELESS_OPTIONS: Mapping[str, float] = {"dropout": 0, "dropout_p": 0, "momentum": 1, "p": 0, "track_running_stats": 0}
"""Options of layers with modes that leave nothing to differ, or nothing that is meant to: with a momentum of 1 the statistics are
those of the last batch."""

CRITERIA: Mapping[str, str] = {
    "cross_entropy": "CrossEntropyLoss",
    "nll_loss": "NLLLoss",
    "binary_cross_entropy": "BCELoss",
    "binary_cross_entropy_with_logits": "BCEWithLogitsLoss",
    "kl_div": "KLDivLoss",
}
"""The losses of `torch.nn.functional` that are of probabilities, each with its class; they differ in what they are given."""

OF_PROBABILITIES = frozenset({"binary_cross_entropy"})
"""Those of them that are given probabilities, whose logarithms they compute themselves."""

MEANING = (*CRITERIA, "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "poisson_nll_loss")
"""The losses of `torch.nn.functional` that are means over what they are given, unless they are told otherwise."""

ACTIVATIONS: Mapping[str, str] = {"softmax": "Softmax", "log_softmax": "LogSoftmax", "sigmoid": "Sigmoid"}
"""The functions that make probabilities of a network's outputs, or their logarithms, each with its class."""

ACTIVATED: Mapping[str, str] = {made: how for how, made in ACTIVATIONS.items()}
"""What a layer of these classes does."""

LOGGED = "log of softmax"
"""What a tensor was put through that is the logarithm of probabilities, computed in two steps."""

CALLED = frozenset({"backward", "eval", "set_epoch", "step", "train", "unscale_", "update", "zero_grad"})
"""Methods that are called for what they do: nobody wants one by itself, and forgets it."""

MOVES = frozenset({
    "to", "cuda", "cpu", "float", "double", "long", "int", "view", "reshape", "squeeze", "unsqueeze", "flatten", "contiguous",
    "transpose", "permute",
})  # fmt: skip
"""Methods of tensors that keep the values, whatever they are given."""

COPIES = frozenset({"to", "cuda", "cpu", "float", "double", "long", "int"})
"""Those of them that copy to another device or type: without autograd the copy has no graph, which a view keeps."""

ROUNDS = frozenset({"bool", "byte", "char", "int", "long", "short"})
"""Methods of tensors after which these are whole numbers: of such no gradient is known."""

WHOLE = frozenset({
    "bool", "int", "int16", "int32", "int64", "int8", "long", "short", "uint8", "BoolTensor", "ByteTensor", "CharTensor",
    "IntTensor", "LongTensor", "ShortTensor",
})  # fmt: skip
"""The types of whole numbers, `torch.int64`."""

REARRANGES = MOVES - COPIES | {"clone", "movedim", "moveaxis", "swapaxes", "t", "unflatten"}
"""Functions of torch and methods of tensors that keep all values, and say where each stands."""

RESIZES = frozenset({"interpolate", "upsample", "upsample_bilinear", "upsample_nearest"})
"""The functions of `torch.nn.functional` whose values are means of those that they are given."""

REARRANGING = frozenset({"Flatten", "Identity", "Unflatten", "Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d"})
"""The layers that do no more than these functions."""

OVERWRITES = frozenset({"copy_", "fill_", "normal_", "trunc_normal_", "uniform_"})
"""Methods that write over all numbers of a tensor."""

EXCHANGES = frozenset({"all_reduce", "all_reduce_coalesced"})
"""Functions by which processes add up a tensor that each of them has, in place."""

GATHERS = frozenset({"stack", "cat", "concat", "concatenate", "hstack", "vstack", "dstack"})
"""Functions that put several tensors into one, and keep the values."""

APPLIES = frozenset({"data_parallel"})
"""Functions that apply a network to what comes after it, on several devices."""

CHUNKS = frozenset({"chunk", "tensor_split"})
"""Functions and methods that hand out a tensor in as many parts as they are told."""

LIMITS = frozenset({"clamp", "clip", "clamp_min", "clamp_max"})
"""Functions and methods that keep values between limits: probabilities stay such, away from 0 and 1."""

SMOOTH = frozenset({"abs", "exp", "log", "mean", "norm", "pow", "sqrt", "square", "sum"})
"""Functions of torch and methods of tensors that compute numbers of a tensor with a graph which have one, too."""

TAKES = MOVES | {"clone", "numpy", "tolist"}
"""Methods by which somebody takes the numbers of a gradient, to do with them what they like."""

DROPOUTS = frozenset({"dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout"})
"""The functions of `torch.nn.functional` that drop, unless they are told that nothing is trained: by themselves they are not."""

ATTENTION = "scaled_dot_product_attention"
"""The one that drops with the probability `dropout_p` in any mode, and knows of none."""
ATTENTIONS: Mapping[str, tuple[str, int]] = {
    ATTENTION: ("dropout_p", 4),
    "memory_efficient_attention": ("p", 4),
    "flash_attn_func": ("dropout_p", 3),
    "flash_attn_kvpacked_func": ("dropout_p", 2),
    "flash_attn_qkvpacked_func": ("dropout_p", 1),
    "flash_attn_varlen_func": ("dropout_p", 7),
    "flash_attn_varlen_kvpacked_func": ("dropout_p", 6),
    "flash_attn_varlen_qkvpacked_func": ("dropout_p", 3),
}
"""Functions that drop as that one does, of xformers and flash_attn ("dropout_p should be set to 0.0 during evaluation"): the
parameter that takes the probability, and its place."""

LENGTHS: Mapping[str, tuple[int, str]] = {
    "OneCycleLR": (2, "total_steps"),
    "CosineAnnealingLR": (1, "T_max"),
    "CosineAnnealingWarmRestarts": (1, "T_0"),
    "LinearLR": (3, "total_iters"),
    "PolynomialLR": (1, "total_iters"),
    "StepLR": (1, "step_size"),
    "MultiStepLR": (1, "milestones"),
}
"""The schedules of torch that are as long as they are told, by class: the place of that argument, and its name."""

LAST_EPOCHS: Mapping[str, int] = {
    **dict.fromkeys(("LRScheduler", "_LRScheduler"), 1),
    **dict.fromkeys(("LambdaLR", "MultiplicativeLR", "ExponentialLR"), 2),
    **dict.fromkeys(("StepLR", "MultiStepLR", "ConstantLR", "PolynomialLR", "CosineAnnealingLR", "SequentialLR"), 3),
    **dict.fromkeys(("LinearLR", "CosineAnnealingWarmRestarts"), 4),
    "CyclicLR": 12,
    "OneCycleLR": 13,
}
"""Where the schedules of torch are told, by their place among the arguments, after which epoch they go on."""

COUNTED = frozenset({"last_epoch", "_step_count", "optimizer"})
"""What a schedule of torch has that is another after each of its steps: its counts, and the rates in the optimizer's groups."""

SPANS: Mapping[str, int] = {"LinearLR": 5, "PolynomialLR": 5}
"""How long they are where nothing is said."""

FORWARD_HOOKS = frozenset({"register_forward_hook", "register_forward_pre_hook"})
"""Methods of a module that hang what is given its inputs, or what it puts out."""
ZEROS = frozenset({"zero_", "zeros", "zeros_like", "new_zeros"})
"""What gives a tensor of zeros."""
TENSOR_MAKERS = frozenset(
    f"torch.{name}{like}" for name in ("empty", "full", "ones", "rand", "randint", "randn", "zeros") for like in ("", "_like")
)
"""What gives a tensor that nobody else has: a parameter of no network, unless it is made one."""


def is_tensor_class(name: str) -> bool:
    """Whether a class is one of tensors: `torch.FloatTensor`."""
    return name.startswith("torch.") and name.endswith("Tensor")


MEMORYLESS = frozenset({"ExponentialLR"})
"""Schedulers whose next rate follows from the rate that the optimizer has."""

HOLDERS: Mapping[str, str] = {
    "DistributedDataParallel": "module",
    "DataParallel": "module",
    "OptimizedModule": "_orig_mod",
    "FullyShardedDataParallel": "_fsdp_wrapped_module",
    "_FabricModule": "_original_module",
}
"""Modules that stand for another, by class, and the attribute in which they hold it."""

WRAPPING: Mapping[str, str] = {
    **dict.fromkeys(
        ["torch.nn.parallel.DistributedDataParallel", "torch.nn.parallel.distributed.DistributedDataParallel"], "module"
    ),
    **dict.fromkeys(["torch.nn.DataParallel", "torch.nn.parallel.DataParallel"], "module"),
    "torch.compile": "_orig_mod",
}
"""What makes modules that stand for another, and the attribute with which all keys of their states begin."""

WRAPPER_NAMES = frozenset({*(name.rpartition(".")[2] for name in WRAPPING), "DDP", "DP"})
"""What programs call these."""

METHODS: Mapping[str, Set[str]] = {
    "backward": {"backward"},
    "zero_grad": {"zero_grad"},
    "unscale": {"unscale_", "unscale_gradients"},
    "set_epoch": {"set_epoch"},
}
"""Of the verbs that a name alone gives away, the methods that do them; a `step` may be anything's."""

ONCE = frozenset({"unscale_", "update"})
"""Methods of a scaler that raise where they are called again on the way from one step to the next."""

EACH_STEP = ONCE | METHODS["zero_grad"]
"""Methods that have their place between one step and the next, wherever else they come twice."""

TRAINING = frozenset({"train", "eval", "backward", "step"})
"""Methods by which a program tells that it goes on to train, or switches modes itself."""

LAST = frozenset({"set_epoch"})
"""Methods of which only the last call before a pass counts."""

SHOWN: Mapping[str, Set[str]] = {
    "schedule": {"param_groups", "get_last_lr", "get_lr"},
    "clip": {"grad"},
    "edit": {"grad"},
    "unscale": {"grad"},
    "zero_grad": {"grad"},
}
"""The attributes through which a program reads what a verb changes."""

VARIED: Mapping[str, str] = {"sampler": "distributed"}
"""Kinds of objects that do not all have the same methods, and the fact that decides: not every sampler is told the epoch."""

AUTOCAST = "autocast"
"""The context in which torch computes in a smaller type; it is told the device."""

AUTOCAST_OF: Mapping[str, str] = {"torch.cuda.amp.autocast": "cuda", "torch.cpu.amp.autocast": "cpu"}
"""Those that are for one device, as they are called."""

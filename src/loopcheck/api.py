"""Names in torch and its frameworks that more than one part of the house goes by. What a call means stands on its page."""

from __future__ import annotations

from collections.abc import Mapping, Set

CLIPS: Mapping[str, str | None] = {
    "clip_grad_norm_": "norm",
    "clip_grad_norm": "norm",
    "clip_grad_value_": "value",
    "clip_grads_with_norm_": None,
}
"""Every clip of `torch.nn.utils`, and what it goes by; the last is told the norm."""

HOLDERS: Mapping[str, str] = {
    "DistributedDataParallel": "module",
    "DataParallel": "module",
    "OptimizedModule": "_orig_mod",
    "FullyShardedDataParallel": "_fsdp_wrapped_module",
    "_FabricModule": "_original_module",
}
"""Modules that stand for another, by class, and the attribute in which they hold it."""

METHODS: Mapping[str, Set[str]] = {
    "backward": {"backward"},
    "zero_grad": {"zero_grad"},
    "unscale": {"unscale_", "unscale_gradients"},
    "set_epoch": {"set_epoch"},
}
"""Of the verbs that a name alone gives away, the methods that do them; a `step` may be anything's."""

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

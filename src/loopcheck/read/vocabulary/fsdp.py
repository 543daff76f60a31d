"""Fully sharded data parallel: the first one flattens and splits the parameters, the second (`fully_shard`) keeps them apart."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.api import CLIPS
from loopcheck.read.domain.health import NORM
from loopcheck.read.domain.values import NONE, Api, Tensor, Value
from loopcheck.read.vocabulary import Call, Row, Same, Scoped, plain, worth
from loopcheck.read.vocabulary.torch import limits, scaler


def shard(call: Call) -> Value:
    """`FullyShardedDataParallel(model, …)`: parameters built before it are others than those after it."""
    model, strategy = call.get(0, "module"), call.get(2, "sharding_strategy")
    call.keep(model, flat=True, adds=("clip_grad_norm_", *_SETTINGS))
    whole = isinstance(strategy, Api) and strategy.name.endswith("NO_SHARD")
    if (isinstance(strategy, Api) and not whole) or (strategy is None and call.complete):
        torchs = call.name.startswith("torch.distributed.")
        kept = worth(call.get(99, "use_orig_params"), False) if call.complete and torchs else None
        facts = {"anew": None if kept is None else not kept}
        call.emit("shard", call.roles(model, "model"), facts, names={"method": "clip_grad_norm_"})
    return model or NONE


def clip_shards(call: Call) -> Value:
    """`model.clip_grad_norm_(max_norm)`: over all ranks."""
    call.emit(
        "clip",
        call.roles(call.me, "model"),
        {"limits": limits(call.get(0, "max_norm")), "managed": True, "by": CLIPS["clip_grad_norm_"]},
    )
    return Tensor(NORM)


_SHARDED = [
    "torch.distributed.fsdp.FullyShardedDataParallel",
    "torch.distributed.fsdp.fully_sharded_data_parallel.FullyShardedDataParallel",
    "torch_xla.distributed.fsdp.XlaFullyShardedDataParallel",
    "fairscale.nn.FullyShardedDataParallel",
    "fairscale.nn.data_parallel.FullyShardedDataParallel",
]
_IN_PLACE = ["torch.distributed.fsdp.fully_shard", "torch.distributed._composable.fsdp.fully_shard"]
_SCALERS = ["torch.distributed.fsdp.sharded_grad_scaler.ShardedGradScaler", "fairscale.optim.grad_scaler.ShardedGradScaler"]
_SETTINGS = [
    "reshard", "set_all_reduce_hook", "set_gradient_divide_factor", "set_is_last_backward", "set_modules_to_backward_prefetch",
    "set_modules_to_forward_prefetch", "set_requires_all_reduce", "set_requires_gradient_sync", "set_reshard_after_backward",
    "set_state_dict_type", "unshard",
]  # fmt: skip

FUNCTIONS: Mapping[str, Row] = {
    **dict.fromkeys(_SHARDED, shard),
    **{f"{name}.{scope}": Scoped() for name in _SHARDED for scope in ("state_dict_type", "summon_full_params")},
    **{name: Same() for name in _IN_PLACE},
    **dict.fromkeys(_SCALERS, scaler),
}
METHODS: Mapping[tuple[str, str], Row] = {
    ("model", "clip_grad_norm_"): clip_shards,
    **{("model", name): plain for name in _SETTINGS},
}

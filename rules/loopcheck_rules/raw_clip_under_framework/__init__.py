"""Gradients that a framework keeps sharded or scaled are clipped by a function that knows nothing of it."""

from loopcheck import Rule, backward, callee_of, clip, no, remove, replace, shard, step, unscale, zero_grad

rule = Rule(
    code="LC707",
    bug=(
        shard >> clip(limits=True, managed=False, by="norm"),
        backward(managed=True, scaled=True) >> no(unscale | step | zero_grad) >> clip(limits=True, managed=False),
    ),
    per="model",
    says="{clip} knows nothing of how the framework keeps the gradients of {model}: in shards, or scaled",
    fix=replace(callee_of(clip), "{clipped}.{method}") & remove(clip, argument=0)
    | replace(callee_of(clip), "{accelerator}.clip_grad_norm_"),
)

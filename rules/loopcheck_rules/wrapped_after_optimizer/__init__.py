"""A model's parameters are flattened and sharded after the optimizer has taken them: what it holds is no longer the model's."""

from loopcheck import Confidence, Rule, backward, build, move, no, shard, step

made = build(decay="explicit") | build(decay="default")

rule = Rule(
    code="LC404",
    bug=made >> shard(anew=True) >> no(build) >> backward >> no(build) >> step,
    at=shard,
    says="{shard} makes new parameters after {build} has taken the old ones: {step} changes nothing of the model",
    some_paths=Confidence.MEDIUM,
    fix=move(made, after=shard).unsafe,
)

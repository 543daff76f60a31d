"""Layers are unfrozen when the optimizer has taken what needed a gradient before: they get gradients, and are never stepped."""

from loopcheck import Rule, backward, build, insert, no, step, thaw

made = build(decay="explicit") | build(decay="default")

rule = Rule(
    code="LC112",
    bug=made >> thaw >> no(build) >> backward >> no(build) >> step,
    at=made,
    says="{build} has only what needed a gradient then: what {thaw} unfreezes is never stepped",
    fix=insert('{optimizer}.add_param_group({{"params": {thawed}.parameters()}})', after=thaw).unsafe,
)

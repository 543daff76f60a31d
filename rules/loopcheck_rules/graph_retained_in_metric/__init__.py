"""Losses are summed up or listed together with their graphs, so that nothing of a batch is freed when it is over."""

from loopcheck import Rule, replace, retain

rule = Rule(
    code="LC804",
    bug=retain(learned=False),
    per="model",
    says="with {retain}, {kept} takes in the graph that computed it, and those of all batches before it stay in memory",
    fix=replace(retain(bare=True), "{was}.detach()"),
)

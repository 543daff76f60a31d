"""All processes of a distributed run write their checkpoint to one file, at the same time."""

from loopcheck import Rule, save

rule = Rule(
    code="LC704",
    bug=save(ranks=True),
    per="model",
    says="every rank comes to {save}, and they write one file at the same time",
)

"""Several workers read one stream, and each hands out all of it: an epoch has every sample as often as there are workers."""

from loopcheck import Rule, duplicate

rule = Rule(
    code="LC708",
    bug=duplicate,
    per="class",
    says="every worker of {duplicate} hands out all that {class} has",
    by_hand="how its samples are to be shared out depends on what it reads",
)

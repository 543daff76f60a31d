"""A model is wrapped for several processes anew in every epoch or batch, and each wrapper averages its gradients again."""

from loopcheck import Rule, backward, loop_of, move, replicate

rule = Rule(
    code="LC710",
    bug=(replicate(anew="epoch") >> backward, replicate(anew="batch") >> backward),
    per="model",
    at=replicate,
    says="{replicate} is reached over and over: {backward} has the gradients averaged by every wrapper that is there",
    fix=move(replicate, before=loop_of(replicate)).unsafe,
)

"""A network drops activations by a function that it does not tell whether it trains, so eval mode changes nothing."""

from loopcheck import Rule, drop, replace

rule = Rule(
    code="LC606",
    bug=drop(gated=False),
    per="class",
    since="1.0",
    rests_on=drop(always=True),
    says="{drop} drops activations in eval mode, too: nothing tells it which mode the network is in",
    fix=replace(drop(by="dropout"), "self.training", argument="training")
    | replace(drop(by="attention") | drop(by="helper"), "{was} if self.training else 0.0", argument="{share}"),
)

"""Binary cross entropy with logits is given probabilities, and puts them through another sigmoid."""

from loopcheck import Rule, criterion, deactivate

rule = Rule(
    code="LC802",
    bug=criterion(loss="binary_cross_entropy_with_logits", given="sigmoid")
    | criterion(loss="binary_cross_entropy_with_logits", given="softmax"),
    per="model",
    says="{criterion} takes probabilities for logits",
    fix=deactivate(criterion).unsafe,
)

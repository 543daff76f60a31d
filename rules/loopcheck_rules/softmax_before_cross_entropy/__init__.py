"""Cross entropy is given probabilities, and puts them through another softmax."""

from loopcheck import Rule, criterion, deactivate

rule = Rule(
    code="LC801",
    bug=criterion(loss="cross_entropy", given="softmax") | criterion(loss="cross_entropy", given="sigmoid"),
    per="model",
    says="{criterion} takes probabilities for logits",
    fix=deactivate(criterion).unsafe,
)

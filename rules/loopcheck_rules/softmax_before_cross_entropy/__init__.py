"""Cross entropy is given probabilities, and puts them through another softmax."""

from loopcheck import Rule, criterion, deactivate

rule = Rule(
    code="LC801",
    bug=criterion(loss="cross_entropy", given="softmax") | criterion(loss="cross_entropy", given="sigmoid"),
    per="model",
    says="{criterion} takes the outputs of {model} for logits, and they have been made probabilities already",
    fix=deactivate(criterion).unsafe,
)

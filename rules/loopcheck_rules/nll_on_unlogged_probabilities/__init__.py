"""NLLLoss, which takes log-probabilities, is given probabilities."""

from loopcheck import Rule, criterion, deactivate

rule = Rule(
    code="LC807",
    bug=criterion(loss="nll_loss", given="softmax") | criterion(loss="nll_loss", given="sigmoid"),
    per="model",
    says="{criterion} takes probabilities for their logarithms",
    fix=deactivate(criterion, instead="log_softmax").unsafe,
)

"""A loss that takes log-probabilities, NLLLoss or KLDivLoss, is given probabilities."""

from loopcheck import Rule, criterion, deactivate

rule = Rule(
    code="LC807",
    bug=(
        criterion(loss="nll_loss", given="softmax") | criterion(loss="nll_loss", given="sigmoid"),
        criterion(loss="kl_div", given="softmax") | criterion(loss="kl_div", given="sigmoid"),
    ),
    per="model",
    says="{criterion} takes probabilities for their logarithms",
    fix=deactivate(criterion, instead="log_softmax").unsafe,
)

"""A loss that takes log-probabilities, NLLLoss or KLDivLoss, is given probabilities."""

from loopcheck import Rule, backward, criterion, deactivate, forward, no

rule = Rule(
    code="LC807",
    bug=(
        criterion(loss="nll_loss", given="softmax", each=False) | criterion(loss="nll_loss", given="sigmoid", each=False),
        # `-F.nll_loss(probabilities, labels, reduction="none")` looks each sample's probability up: only a loss is gone back from
        (criterion(loss="nll_loss", given="softmax", each=True) | criterion(loss="nll_loss", given="sigmoid", each=True))
        >> no(forward)
        >> backward,
        criterion(loss="kl_div", given="softmax") | criterion(loss="kl_div", given="sigmoid"),
    ),
    per="model",
    at=criterion,
    says="{criterion} takes probabilities for their logarithms",
    fix=deactivate(criterion, instead="log_softmax").unsafe,
)

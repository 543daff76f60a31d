"""A probability is rounded before its logarithm is taken: where the network is sure, and wrong, no gradient is left."""

from loopcheck import Rule, callee_of, criterion, deactivate, replace

plain = criterion(loss="binary_cross_entropy", given="sigmoid")

rule = Rule(
    code="LC803",
    bug=plain | criterion(loss="nll_loss", given="log of softmax"),
    per="model",
    group="pedantic",
    says="{criterion} takes a logarithm of what was rounded to a probability, and has no gradient where that is 0 or 1",
    fix=(
        deactivate(plain) & replace(callee_of(plain), "F.binary_cross_entropy_with_logits", instead_of="F.binary_cross_entropy")
    ).unsafe,
)

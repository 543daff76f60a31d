"""Gradients are cleared between the backward that computed them and the step that should use them."""

from loopcheck import Rule, Witness, backward, forward, move, no, step, zero_grad


def clears_all(witness: Witness) -> bool:
    """What is cleared holds all that the optimizer updates: dropping the gradients of one layer freezes that layer."""
    return any(cleared in witness.role.sources for cleared in witness[zero_grad].on)


rule = Rule(
    code="LC104",
    bug=backward >> no(step) >> zero_grad >> no(forward | backward) >> step,
    at=zero_grad,
    unless=("step-before-backward",),
    where=clears_all,
    says="{zero_grad} throws away the gradients of {backward} before {step} has used them",
    fix=move(zero_grad, after=step),
)

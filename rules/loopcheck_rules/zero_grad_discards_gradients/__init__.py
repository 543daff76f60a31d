"""Gradients are cleared between the backward that computed them and the step that should use them."""

from loopcheck import Rule, Witness, backward, edit, forward, move, no, step, zero_grad


def by_mistake(witness: Witness) -> bool:
    """What is cleared holds all that the optimizer updates: dropping the gradients of one layer freezes that layer. Who asks what
    became of each pass, and clears on some, drops what is not finite."""
    cleared = witness[zero_grad]
    return any(each in witness.role.sources for each in cleared.on) and not cleared.facts.get("spares")


rule = Rule(
    code="LC104",
    bug=backward >> no(step) >> zero_grad >> no(forward | backward | edit) >> step,
    at=zero_grad,
    unless=("step-before-backward",),
    where=by_mistake,
    says="{zero_grad} throws away the gradients of {backward} before {step} has used them",
    fix=move(zero_grad, after=step),
)

"""Gradients are cleared between the backward that computed them and the step that should use them."""

from loopcheck import Rule, Witness, backward, edit, forward, move, no, step, zero_grad


def by_mistake(witness: Witness) -> bool:
    """What is cleared holds all that the optimizer updates: dropping the gradients of one layer freezes that layer. Who asks what
    became of each pass, and clears on some, drops what is not finite. A backward that comes before the step may compute anew what
    was cleared, unless it is one of other models."""
    cleared = witness[zero_grad]
    mistaken = any(each in witness.role.sources for each in cleared.on) and not cleared.facts.get("spares")
    return mistaken and witness.apart(backward)


rule = Rule(
    code="LC104",
    bug=(
        backward >> no(step) >> zero_grad >> no(forward | backward | edit) >> step,
        backward >> no(step) >> zero_grad >> no(step | backward | edit) >> backward >> no(backward | edit) >> step,
    ),
    at=zero_grad,
    unless=("step-before-backward",),
    where=by_mistake,
    says="{zero_grad} throws away the gradients of {backward} before {step} has used them",
    fix=move(zero_grad(leftover=False), after=step),
    by_hand="the loss goes back to other models than are cleared, so what is wrong is which are",
)

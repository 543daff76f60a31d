"""One optimizer's gradients are unscaled twice before the scaler's update."""

from loopcheck import Rule, no, same, unscale, update

rule = Rule(
    code="LC207",
    bug=unscale >> no(update) >> same,
    per="scaler",
    says="{unscale} unscales gradients of {optimizer} that are unscaled already: no `update()` in between, so it raises",
    by_hand="what is read of the gradients in between tells which of the two is one too many",
)

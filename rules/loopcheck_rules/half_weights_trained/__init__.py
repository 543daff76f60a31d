"""Weights are kept in float16 and trained in it: an update that is smaller than the space between two numbers changes nothing."""

from loopcheck import Rule, backward, cast, edit, no, step

rule = Rule(
    code="LC208",
    bug=(
        cast(to="float16")
        >> no(cast)
        >> backward(managed=False, scaled=False)
        >> no(cast | edit)
        >> step(scaled=False, frozen=False)
    ),
    group="advice",
    at=cast,
    says="{cast} makes the weights float16, and {step} trains them in it: updates below a 2000th of a weight are lost",
    by_hand="weights in float32 need more memory, which may be what was to be saved",
)

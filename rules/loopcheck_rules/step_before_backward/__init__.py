"""The optimizer steps between a forward and its backward, on gradients that are not there yet."""

from loopcheck import Rule, backward, forward, move, no, step

rule = Rule(
    code="LC105",
    bug=forward >> no(backward) >> step >> no(forward | step) >> backward,
    at=step,
    says="{step} comes before {backward}, which computes the gradients that it should apply",
    fix=move(step, after=backward).unsafe,
)

"""A plateau schedule is stepped without the metric that it follows: `ReduceLROnPlateau.step` raises."""

from loopcheck import Rule, schedule

rule = Rule(
    code="LC505",
    bug=schedule(metric="missing"),
    per="scheduler",
    says="{schedule} is not told the metric that `ReduceLROnPlateau` follows, and raises",
)

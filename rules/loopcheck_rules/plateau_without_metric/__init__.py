"""A plateau schedule is stepped without the metric that it follows: `ReduceLROnPlateau.step` raises."""

from loopcheck import Rule, replace, schedule

rule = Rule(
    code="LC505",
    bug=schedule(metric="missing"),
    per="scheduler",
    says="{schedule} is not told the metric that `ReduceLROnPlateau` follows, and raises",
    fix=replace(schedule, "{scheduler}.step({metric})", instead_of="{scheduler}.step()").unsafe,
)

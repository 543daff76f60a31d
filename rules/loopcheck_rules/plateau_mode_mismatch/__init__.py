"""A schedule that waits for a metric to fall is told an accuracy, or one that waits for it to rise a loss."""

from loopcheck import Rule, build, replace, schedule

rule = Rule(
    code="LC508",
    bug=(
        build(mode="min") >> schedule(metric="gain"),
        build(mode="max") >> schedule(metric="loss"),
    ),
    per="scheduler",
    says="{schedule} tells the schedule a metric that gets better in the other direction than {build} waits for",
    fix=replace(build, "{other_mode}", argument=1).unsafe | replace(build, "{other_mode}", argument="mode").unsafe,
)

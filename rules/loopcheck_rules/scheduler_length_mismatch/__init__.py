"""Schedules whose lengths do not fit together: a warm-up is cut off, or a decay is as long as the whole run or as the warm-up."""

from loopcheck import Rule, build, replace, schedule

whole_run = (
    schedule(overrun=True, after="epoch", epoch=False, managed=False)
    | schedule(overrun=True, after="batch", epoch=False, managed=False)
    | schedule(overrun=True, after="step", epoch=False, managed=False)
)

rule = Rule(
    code="LC503",
    bug=(build(cut=True), build(spent=True), build >> whole_run),
    per="scheduler",
    at=build,
    says="{build} does not fit its share of the run: a part of it does not get to its end, or it is over when the warm-up is",
    fix=replace(build(cut=True), "[{whole}]", argument=2).unsafe
    | replace(build(cut=True), "[{whole}]", argument="milestones").unsafe,
)

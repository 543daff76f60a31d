"""A schedule of several parts whose lengths do not fit together: a warm-up is cut off, or a decay is as long as the whole run."""

from loopcheck import Rule, build, replace, schedule

whole_run = (
    schedule(overrun=True, after="epoch", epoch=False, managed=False)
    | schedule(overrun=True, after="batch", epoch=False, managed=False)
    | schedule(overrun=True, after="step", epoch=False, managed=False)
)

rule = Rule(
    code="LC503",
    bug=(build(cut=True), build >> whole_run),
    per="scheduler",
    at=build,
    says="a part of {build} is longer than its share of the run, and does not get to its end",
    fix=replace(build(cut=True), "[{whole}]", argument=2).unsafe
    | replace(build(cut=True), "[{whole}]", argument="milestones").unsafe,
)

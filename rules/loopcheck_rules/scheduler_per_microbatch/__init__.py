"""A schedule of optimizer steps is stepped with every micro-batch, so it is over after one k-th of the run."""

from loopcheck import Rule, backward, build, move, schedule, step

rule = Rule(
    code="LC305",
    bug=build(length="steps") >> backward(windowed=True) >> step >> schedule(after="batch", epoch=False, managed=False),
    per="scheduler",
    says="{schedule} follows every micro-batch, and {build} is as long as there are steps of the optimizer",
    fix=move(schedule, after=step).unsafe,
)

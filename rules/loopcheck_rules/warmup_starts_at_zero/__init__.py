"""A warm-up whose factor is 0 at step 0: the first update is taken at learning rate 0, and changes nothing."""

from loopcheck import Confidence, Rule, build, no, replace, restore, schedule, step

rule = Rule(
    code="LC504",
    group="advice",
    bug=build(from_zero=True, resumed=False) >> no(schedule | restore) >> step,
    per="scheduler",
    at=build,
    some_paths=Confidence.HIGH,
    says="{build} begins with a factor of 0, and {step} takes the first update with a learning rate of 0",
    fix=replace(build, "{shifted}", argument=1).unsafe | replace(build, "{shifted}", argument="lr_lambda").unsafe,
)

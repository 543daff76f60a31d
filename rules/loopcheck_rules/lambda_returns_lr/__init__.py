"""The function of a LambdaLR gives a learning rate, where a factor is asked for: the rate is squared."""

from loopcheck import Rule, build, replace

rule = Rule(
    code="LC509",
    bug=build(twice=True),
    per="scheduler",
    says="{build} multiplies the optimizer's learning rate by what its function gives, which is that rate once more",
    fix=replace(build, "{relative}", argument=1).unsafe | replace(build, "{relative}", argument="lr_lambda").unsafe,
)

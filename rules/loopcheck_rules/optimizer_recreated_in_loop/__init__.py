"""An optimizer is made anew for one model in every epoch or with every batch, and what it knew of the gradients is lost."""

from loopcheck import Rule, build, loop_of, move, step

rule = Rule(
    code="LC403",
    bug=(build(anew="epoch") >> step, build(anew="batch") >> step),
    at=build,
    says="{build} is reached over and over: each time {step} begins without what the optimizer before has gathered",
    fix=move(build, before=loop_of(build)).unsafe,
)

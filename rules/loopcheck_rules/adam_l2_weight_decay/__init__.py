"""Adam adds the weight decay to the gradient and divides by its size, so that weights with large gradients hardly decay."""

from loopcheck import Rule, build, callee_of, replace

rule = Rule(
    code="LC402",
    group="advice",
    bug=build(family="adam", decays=True, decay="explicit", penalty=False),
    says="{build} puts its weight decay through the same division as the gradient, so that it is not the decay that it says",
    fix=replace(callee_of(build), "{was}W").unsafe,
)

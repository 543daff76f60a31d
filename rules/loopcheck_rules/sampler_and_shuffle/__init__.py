"""A DataLoader is given a sampler and told to shuffle."""

from loopcheck import Rule, build, remove, replace

rule = Rule(
    code="LC702",
    bug=build(sampler=True, shuffle=True),
    per="loader",
    says="{build} takes its order from a sampler and is told to shuffle as well, which raises a ValueError",
    fix=remove(build, argument="shuffle", instead_of="True")
    | remove(build, argument="shuffle").unsafe
    | replace(build, "False", argument=2, instead_of="True")
    | replace(build, "False", argument=2).unsafe,
)

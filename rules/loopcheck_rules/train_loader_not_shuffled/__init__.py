"""A training loader hands out its samples in the order that the data set has them in, the same in every epoch."""

from loopcheck import Confidence, Rule, build, iterate, replace

rule = Rule(
    code="LC703",
    bug=build >> iterate(training=True, shuffled=False, stored=True),
    group="advice",
    at=build,
    per="loader",
    says="{build} is trained on in the order that the data set has, in every epoch the same: it is not told to shuffle",
    some_paths=Confidence.MEDIUM,
    fix=replace(build, "{shuffling}", argument="shuffle").unsafe,
)

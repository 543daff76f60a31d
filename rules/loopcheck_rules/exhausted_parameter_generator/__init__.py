"""Parameters are clipped, or frozen, through a generator of them that has been used up, so nothing is clipped or frozen."""

from loopcheck import Rule, clip, freeze, origin_of, replace

rule = Rule(
    code="LC107",
    bug=clip(spent=True) | freeze(spent=True),
    says="no parameters are found here: the generator of them has handed them out before",
    fix=replace(origin_of(clip), "list({was})") | replace(clip(each=False), "{model}.parameters()", argument=0).unsafe,
)

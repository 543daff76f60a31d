"""A schedule that is as long as the run in one unit is stepped in another, so it ends far too early or hardly begins."""

from loopcheck import Rule, build, insert, loop_of, move, remove, schedule, step

too_seldom = schedule(after="epoch", epoch=False)
too_often = schedule(after="batch", epoch=False) | schedule(after="step", epoch=False)

rule = Rule(
    code="LC502",
    bug=(
        build(length="batches") >> step >> too_seldom,
        build(length="steps") >> step >> too_seldom,
        build(length="iterations") >> step >> too_seldom,
        build(length="updates") >> step >> schedule(after="epoch", epoch=False, managed=True),
        build(length="batches") >> step >> schedule(after="step", epoch=False),
        build(length="epochs") >> step >> too_often,
    ),
    per="scheduler",
    at=schedule(managed=False) | build,  # of what a framework steps the length is to be mended, or what it is told
    says="{build} is as long as the run in one unit, and {schedule} steps it in another",
    fix=(insert("{scheduler}.step()", after=step) & remove(schedule(after="epoch"))).unsafe
    | move(schedule(after="batch"), after=loop_of(step)).unsafe,
)

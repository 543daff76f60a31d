"""Training goes on from a checkpoint's weights, and leaves in the file what was saved with them: an optimizer, or a schedule."""

from loopcheck import Rule, build, load, no, restore, step

rule = Rule(
    code="LC903",
    bug=(
        (restore(drops="optimizer") | restore(drops="scheduler") | restore(drops="scaler")) >> no(build) >> step,
        restore(drops="optimizer", since=True) >> build >> step,
    ),
    at=restore,
    says="{restore} goes on from the weights alone: {dropped} was saved with them, and begins anew",
    fix=load(restore, "{all_dropped}").unsafe,
)

"""A checkpoint to go on from leaves out what training also remembers: an optimizer, a schedule, or a loss scale."""

from loopcheck import Rule, save, store

rule = Rule(
    code="LC901",
    bug=save(lacks="optimizer") | save(lacks="scheduler") | save(lacks="scaler"),
    group="advice",
    says="{save} leaves out {lacking}, which begins anew in a run that goes on from there",
    fix=store(save, "{all_lacking}").unsafe,
)

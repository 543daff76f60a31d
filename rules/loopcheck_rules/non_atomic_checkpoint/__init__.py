"""A checkpoint to go on from is written over the one before: a run that is killed meanwhile leaves neither."""

from loopcheck import Confidence, Rule, again, insert, no, rename, replace, save

rule = Rule(
    code="LC902",
    bug=save(lasting=True) >> no(rename) >> again,
    group="pedantic",
    says="{save} writes over the checkpoint of the pass before; a run that is killed meanwhile has neither",
    per="optimizer",
    where=lambda witness: "optimizer" in str(witness[save].facts.get("holds")),
    some_paths=Confidence.MEDIUM,
    fix=(
        (replace(save, 'str({was}) + ".tmp"', argument=1) | replace(save, 'str({was}) + ".tmp"', argument="f"))
        & insert('os.replace(str({file}) + ".tmp", {file})', after=save, requires="import os")
    ).unsafe,
)

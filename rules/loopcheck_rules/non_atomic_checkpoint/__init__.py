"""A checkpoint is written over the one before: a run that is killed meanwhile leaves neither."""

from loopcheck import Confidence, Rule, Witness, again, insert, no, rename, replace, save


def confidence(witness: Witness) -> Confidence:
    """Without a state to go on from a run is lost; without its best weights it may find better ones."""
    return Confidence.HIGH if "optimizer" in str(witness[save].facts.get("holds")) else Confidence.MEDIUM


rule = Rule(
    code="LC902",
    bug=save(lasting=True) >> no(rename | save(lasting=False)) >> again,
    group="pedantic",
    says="{save} writes over the checkpoint of the pass before; a run that is killed meanwhile has neither",
    per="optimizer",
    some_paths=Confidence.MEDIUM,
    confidence=confidence,
    fix=(
        (replace(save, 'str({was}) + ".tmp"', argument=1) | replace(save, 'str({was}) + ".tmp"', argument="f"))
        & insert('os.replace(str({file}) + ".tmp", {file})', after=save, requires="import os")
    ).unsafe,
)

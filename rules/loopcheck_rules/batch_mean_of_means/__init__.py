"""The mean of the batches' means is reported for that of the samples: those of a smaller last batch count more than others."""

from loopcheck import Confidence, Rule, Witness, tally


def confidence(witness: Witness) -> Confidence:
    """A pass of unknown length may have batches of one size alone."""
    return Confidence.HIGH if witness[tally].facts["ragged"] == "known" else Confidence.MEDIUM


rule = Rule(
    code="LC805",
    group="pedantic",
    bug=tally(validating=True, alike=True, ragged="known") | tally(validating=True, alike=True, ragged="possible"),
    per="meter",
    says="{tally} counts as much for each batch, also where the last one is smaller: {meter} is no mean over the samples",
    confidence=confidence,
    by_hand="what a batch should count for, its samples or its tokens, its loss alone does not say",
)

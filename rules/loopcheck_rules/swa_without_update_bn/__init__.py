"""An average of weights is applied with the batch norm statistics of the last weights that went into it."""

from loopcheck import Rule, average, calibrate, evaluate, forward, no, restore, train

rule = Rule(
    code="LC608",
    bug=average(stale=True) >> no(calibrate | forward | restore) >> evaluate >> no(calibrate | train | restore) >> forward,
    per="model",
    says="{forward} normalizes by statistics that {average} copies from the model: those of the average were never computed",
    by_hand="what the statistics are to be taken of only its author knows",
)

"""An average of weights is applied with the batch norm statistics of the last weights that went into it."""

from loopcheck import Rule, absorb, average, calibrate, evaluate, forward, no, restore, train

rule = Rule(
    code="LC608",
    bug=(  # before it has absorbed anything, it is the model that it was made of, statistics and all
        average(stale=True)
        >> absorb
        >> no(calibrate | forward | restore)
        >> evaluate
        >> no(calibrate | train | restore)
        >> forward,
        average(stale=True) >> evaluate >> no(train) >> absorb >> no(calibrate | train | restore) >> forward,
    ),
    per="model",
    says="{forward} normalizes by statistics that {average} copies from the model: those of the average were never computed",
    by_hand="what the statistics are to be taken of only its author knows",
)

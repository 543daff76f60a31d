"""The scheduler steps before the optimizer does, so the schedule's first learning rate is never used.

The chain goes on to the last step of the run. Where a schedule comes after the step and only the first update was skipped
(a window not yet full, a loss that is not finite), a schedule follows the last step too, and that is no bug; nor is it
where training stops before the last schedule, so the schedule must not stand below the step in the text either.
"""

from loopcheck import Confidence, Rule, Witness, again, build, end, move, no, schedule, start, step


def confidence(witness: Witness) -> Confidence:
    """A warm-up whose first rate is 0 may be stepped first on purpose: no update is lost, but the whole schedule runs early. What
    counts steps from one is meant to be."""
    facts = witness.role.built.facts if witness.role.built else {}
    if facts.get("from_one"):
        return Confidence.LOW
    return Confidence.MEDIUM if facts.get("from_zero") else Confidence.HIGH


rule = Rule(
    code="LC501",
    bug=(start | build) >> no(step) >> schedule(epoch=False) >> step >> again(schedule) >> step >> no(schedule) >> end,
    per="scheduler",
    at=schedule,
    confidence=confidence,
    since="1.1",
    where=lambda witness: not witness.above(step, schedule),
    some_paths=Confidence.MEDIUM,  # of the kinds of schedules that a program may choose from, one is stepped so
    says="{schedule} sets the next learning rate before {step} has used the one that is set",
    fix=move(schedule, after=step),
)

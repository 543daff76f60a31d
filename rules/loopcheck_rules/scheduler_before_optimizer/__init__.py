"""The scheduler steps before the optimizer does, so the schedule's first learning rate is never used.

The chain goes on to the last step of the run. Where a schedule comes after the step and only the first update was skipped
(a window not yet full, a loss that is not finite), a schedule follows the last step too, and that is no bug. Nor is it one where
the first rate is 0, as a warm-up's may be: nothing is lost with that.
"""

from loopcheck import Confidence, Rule, Witness, again, build, end, move, no, schedule, start, step


def has_a_first_rate(witness: Witness) -> bool:
    made = witness.role.built
    return made is None or made.facts.get("from_zero") is not True


rule = Rule(
    code="LC501",
    bug=(start | build) >> no(step) >> schedule(epoch=False) >> step >> again(schedule) >> step >> no(schedule) >> end,
    per="scheduler",
    at=schedule,
    where=has_a_first_rate,
    some_paths=Confidence.MEDIUM,  # of the kinds of schedules that a program may choose from, one is stepped so
    says="{schedule} sets the next learning rate before {step} has used the one that is set",
    fix=move(schedule, after=step),
)

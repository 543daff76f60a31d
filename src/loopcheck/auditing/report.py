"""From what was recorded to the reports that are shown."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from loopcheck.auditing import observe
from loopcheck.auditing.join import CONFIRMED, CONTRADICTED, ONLY_SEEN, UNREACHED, finding, join
from loopcheck.auditing.places import shown, span_of_line
from loopcheck.auditing.sightings import Met, sightings, statement
from loopcheck.auditing.silence import Silence
from loopcheck.check import with_speakers
from loopcheck.finding import Finding, Report
from loopcheck.job import Job, narrowed, work
from loopcheck.record.run import Run
from loopcheck.record.site import Site
from loopcheck.rule import Confidence, Rule
from loopcheck.scope import Scope


def reports(
    runs: Sequence[Run], scope: Scope, rules: Sequence[Rule], silent: bool = True, explained: bool = False
) -> list[Report]:
    """What is asked for of the files that were run: of each what its source says, what it did, and what only its numbers show.

    explained: with the reason for which the source alone would not have shown it.
    """
    read = [rule for rule in rules if not rule.page]
    met = sightings(with_speakers(read), runs)
    codes = {rule.code for rule in read}
    seen = {key: calls for key, calls in met.items() if key[0] in codes}
    static = [outcome.report for outcome in work(files(runs), Job(rules=read, least=Confidence.LOW, silent=silent))]
    silence = Silence(static, scope.spares) if explained else None
    asked = Job(rules=rules, spared=scope.spares, settled=scope.settled, silent=silent)
    return [narrowed(report, asked) for report in join(static, seen, observed(runs, rules, met), runs, silence)]


def observed(runs: Sequence[Run], rules: Sequence[Rule], met: Met) -> Iterator[Finding]:
    """What the numbers of a run show, of all ranks once, where no rule knows it better."""
    told = set()
    seen = {(*key, each.rule.name) for key, calls in met.items() for each in calls.values() if not each.cut}
    for run in runs:
        run.ranks = list(runs)
        for rule, look in observe.every():
            for each in look(run) if rule.code in {chosen.code for chosen in rules} else ():
                at = os.path.realpath(each.at[0]), statement(os.path.realpath(each.at[0]), each.at[1])
                better = any(name in rule.unless and (path, rows) == at for _, path, rows, name in seen)
                if each.at[0] and not better and (rule.code, at) not in told:
                    told.add((rule.code, at))
                    span = span_of_line(*each.at)
                    yield finding(rule, rule.says.format(**each.words), span, when=each.when, confidence=each.confidence)


def files(runs: Sequence[Run]) -> list[Path]:
    """The files of the user's that had a part in a run, the script first."""
    found = dict.fromkeys(run.script for run in runs if run.script)
    found.update(dict.fromkeys(at.file for run in runs for event in run.trace if isinstance(at := event.at, Site) and at.file))
    near = [path for path in found if os.path.isfile(path) and path.endswith(".py")]
    return [Path(shown(path)) for path in dict.fromkeys(map(os.path.abspath, near)) if _ours(path, runs)]


def _ours(path: str, runs: Sequence[Run]) -> bool:
    """A script that only starts others, as `torchrun` does, has no events."""
    return any(isinstance(event.at, Site) and os.path.abspath(event.at.file) == path for run in runs for event in run.trace)


def told(runs: Sequence[Run], found: Sequence[Report]) -> str:
    """`Recorded 40 optimizer steps and 2 epochs. 1 confirmed, 1 not reached.`"""
    if not runs:
        return "Nothing was recorded: no process of the program that loads torch came to its end by itself."
    first = max(runs, key=lambda run: len(run.trace))
    steps = sum(event.verb == "step" for event in first.trace)
    passes = sum(event.verb == "iterate" and bool(event.facts.get("training")) for event in first.trace)
    parts = [_count(steps, "optimizer step")] + (
        [_count(passes, "pass over training data", "passes over training data")] * bool(passes)
    )
    ranks = len({run.rank for run in runs})
    where = f" on each of {ranks} ranks" if ranks > 1 else ""
    until = "" if first.stopped is None else ", and then let it run on"
    every = [finding.run for report in found for finding in report.findings]
    counts = [(word, sum(run.startswith(word) for run in every)) for word in (CONFIRMED, CONTRADICTED, UNREACHED, ONLY_SEEN)]
    words = [f"{number} {word}" for word, number in counts if number]
    told = [f"Recorded {' and '.join(parts)}{where}{until}.", *_lost(runs), *([f"{', '.join(words)}."] if words else [])]
    return " ".join(told)


def _lost(runs: Sequence[Run]) -> Iterator[str]:
    """What is not known of processes that were killed."""
    world = max(run.world for run in runs)
    for run in runs:
        if run.killed:
            steps = sum(event.verb == "step" for event in run.trace)
            yield f"{f'Rank {run.rank}' if world > 1 else 'The program'} was killed: what it did after step {steps} is not known."
    for rank in sorted({*range(world)} - {run.rank for run in runs}):
        yield f"Rank {rank} has left no record."


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"

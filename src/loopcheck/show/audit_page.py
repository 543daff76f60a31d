"""An audit as one page of HTML: the loop as it ran, its numbers, and the findings. It needs nothing but itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from loopcheck.loop import Event
from loopcheck.record.readings import Reading
from loopcheck.record.run import Run
from loopcheck.record.site import Site
from loopcheck.show.articles import Marks, articles, linked, marks
from loopcheck.show.html import Section, document
from loopcheck.show.svg import MOST_STOPS, Bar, Line, Stop, chart, lanes, ring, text
from loopcheck.show.view import View


def page(view: View, runs: Sequence[Run], told: str) -> str:
    """told: what was recorded, in a sentence."""
    run = max(runs, key=lambda each: len(each.trace), default=Run())
    sections: list[Section] = [
        ("loop", "The loop", _loop(run, marks(view.entries))),
        ("rates", "Learning rate", _rates(run)),
        ("gradients", "Gradient norm", _gradients(run)),
        ("groups", "Parameter groups", _groups(run)),
        ("modes", "Modes", _modes(run)),
        ("ranks", "Ranks", _ranks(runs)),
        ("findings", "Findings", "".join(articles(view))),
    ]
    shown = [section for section in sections if section[-1]]
    return document("loopcheck audit", told, shown, links=shown, skip="findings")


# The loop


def _loop(run: Run, wrong: Marks) -> str:
    """One step as it repeats, or all that happened where none does."""
    events = steady(run.trace)
    if not events:
        return ""
    stops = [Stop(event.verb, _where(event), _wrong(event, wrong)) for event in events]
    listed = "".join(
        f"<li{' class=wrong' if stop.wrong else ''}><b>{stop.verb}</b> <code>{text(event.at.text)}</code> "
        f"<small>{text(stop.where)}</small>{linked(stop.wrong)}</li>"
        for event, stop in zip(events, stops, strict=True)
    )
    return f'<div class="beside">{ring("one step of the loop", stops)}<ol>{listed}</ol></div>'


def steady(trace: Sequence[Event]) -> list[Event]:
    """The events of one step that is like those before, from the end of the last; of a place reached several times, one."""
    steps = [at for at, event in enumerate(trace) if event.verb == "step"]
    if not steps:
        return []
    same = [at for at in steps if trace[at].at == trace[steps[-1]].at]
    begin, end = (same[1], same[2]) if len(same) > 2 else (-1, same[0])
    seen: dict[tuple[str, object], Event] = {}
    for event in trace[begin + 1 : end + 1]:
        if event.verb != "build":
            seen.setdefault((event.verb, event.at), event)
    return [*seen.values()][:MOST_STOPS]


def _wrong(event: Event, wrong: Marks) -> str:
    at = event.place
    if not isinstance(at, Site):
        return ""
    return next((name for (path, _, row), name in wrong.items() if row == at.line and at.file.endswith(path)), "")


def _where(event: Event) -> str:
    return f"line {event.at.line}" if isinstance(event.at, Site) and event.at.line else ""


# Numbers


def _by_optimizer(run: Run) -> dict[str, list[Reading]]:
    found: dict[str, list[Reading]] = {}
    for step in run.readings.steps:
        found.setdefault(step.optimizer, []).append(step)
    return found


def _rates(run: Run) -> str:
    pieces = []
    for name, steps in _by_optimizer(run).items():
        actual = [(float(step.number), step.lrs[0]) for step in steps if step.lrs]
        lines = [Line(f"{name}, actual", actual, "one")]
        for plan in run.readings.plans:
            if plan.optimizer == name and plan.curve:
                window = run.steps_of_a_pass(name)
                unit = window if plan.advanced and window and plan.advanced * window <= 1.5 * len(steps) + window else 1
                points = [point for at, rate in plan.curve for point in ((1 + at * unit, rate), ((at + 1) * unit, rate))]
                lines.append(Line(f"{plan.kind}, planned", points if unit > 1 else points[::2], "two"))
        pieces.append(chart(f"learning rate of {name}", lines) + _table(name, steps))
    return "".join(pieces)


def _gradients(run: Run) -> str:
    pieces = []
    for name, steps in _by_optimizer(run).items():
        after = [(float(step.number), step.norm) for step in steps if step.norm is not None]
        before = [(float(step.number), step.before) for step in steps if step.before is not None]
        lines = [Line("before clipping", before, "two")] if before else []
        pieces.append(chart(f"gradient norm of {name}", [*lines, Line("as the step reads it", after, "one")], logarithmic=True))
    return "".join(pieces)


def _table(name: str, steps: Sequence[Reading]) -> str:
    """The numbers behind the lines, for who would rather read them."""
    rows = "".join(
        f"<tr><td>{step.number}</td><td>{', '.join(f'{lr:.4g}' for lr in step.lrs)}</td><td>{_number(step.before)}</td>"
        f"<td>{_number(step.norm)}</td><td>{'' if step.taken else 'skipped'}</td></tr>"
        for step in steps[:200]
    )
    head = "<tr><th>step</th><th>learning rate</th><th>norm before clipping</th><th>norm read</th><th></th></tr>"
    return f"<details><summary>the numbers of {text(name)}</summary><table>{head}{rows}</table></details>"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"


def _groups(run: Run) -> str:
    rows = "".join(
        f"<tr><td>{text(group.optimizer)}</td><td>{group.number}</td><td>{group.lr:.4g}</td><td>{group.decay:.4g}</td>"
        f"<td>{group.tensors}</td><td>{group.numbers:,}</td></tr>"
        for group in run.readings.groups
    )
    names = ("optimizer", "group", "learning rate", "weight decay", "tensors", "numbers")
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>" if rows else ""


def _modes(run: Run) -> str:
    """Which mode each model was in, over the steps."""
    taken = 0
    lasting: dict[str, list[tuple[float, str]]] = {}
    for event in run.trace:
        taken += event.verb == "step"
        if event.verb in ("train", "evaluate") or (event.verb == "build" and "training" in event.facts):
            mode = "evaluating" if event.verb == "evaluate" or event.facts.get("training") is False else "training"
            for role in event.on:
                if role.part_of is None:
                    lasting.setdefault(role.name or role.kind, []).append((taken, mode))
    rows = []
    told = []
    for name, changes in lasting.items():
        ends = [at for at, _ in changes[1:]] + [taken]
        rows.append((name, [Bar(at, end, mode) for (at, mode), end in zip(changes, ends, strict=True)]))
        told.append(f"{name} changes its mode {sum(a[1] != b[1] for a, b in pairwise(changes))} times")
    if not rows:
        return ""
    legend = '<ul class="legend"><li class="training">train mode</li><li class="evaluating">eval mode</li></ul>'
    return lanes("modes over the steps", "; ".join(told), rows, taken) + legend


def _ranks(runs: Sequence[Run]) -> str:
    if len({run.rank for run in runs}) < 2:
        return ""
    rows = "".join(
        f"<tr><td>{run.rank}</td><td>{sum(event.verb == 'step' for event in run.trace)}</td>"
        f"<td>{sum(event.verb == 'iterate' for event in run.trace)}</td><td>{text(run.raised or '')}</td></tr>"
        for run in runs
    )
    return f"<table><tr><th>rank</th><th>steps recorded</th><th>passes begun</th><th>raised</th></tr>{rows}</table>"

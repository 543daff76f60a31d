"""An audit as one page of HTML: the loop as it ran, its numbers, and the findings. It needs nothing but itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from loopcheck.loop import Event
from loopcheck.record.readings import Reading
from loopcheck.record.run import Run
from loopcheck.record.site import Site
from loopcheck.show.details import remarks
from loopcheck.show.entry import Entry
from loopcheck.show.frame import Lines, place
from loopcheck.show.svg import Bar, Line, Stop, chart, lanes, prose, ring, text
from loopcheck.show.view import View

MOST_STOPS = 24
"""Events of a step that a ring has place for."""
AROUND = 2


def page(view: View, runs: Sequence[Run], told: str) -> str:
    """told: what was recorded, in a sentence."""
    run = max(runs, key=lambda each: len(each.trace), default=Run())
    sections = [
        _section("loop", "The loop", _loop(run, view.entries)),
        _section("rates", "Learning rate", _rates(run)),
        _section("gradients", "Gradient norm", _gradients(run)),
        _section("groups", "Parameter groups", _groups(run)),
        _section("modes", "Modes", _modes(run)),
        _section("ranks", "Ranks", _ranks(runs)),
        _section("findings", "Findings", "".join(_findings(view))),
    ]
    shown = [(name, title, body) for name, title, body in sections if body]
    links = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title, _ in shown)
    bodies = "".join(f'<section id="{name}"><h2>{title}</h2>{body}</section>' for name, title, body in shown)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>loopcheck audit</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
        f"<style>{_STYLE}</style></head><body>"
        f'<a class="skip" href="#findings">to the findings</a><header><h1>loopcheck audit</h1><p>{text(told)}</p></header>'
        f'<nav aria-label="sections"><ul>{links}</ul></nav><main>{bodies}</main></body></html>\n'
    )


def _section(name: str, title: str, body: str) -> tuple[str, str, str]:
    return name, title, body


def anchor(entry: Entry) -> str:
    """What a finding is linked by."""
    return f"f-{entry.code}-{entry.primary.row}"


# The loop


def _loop(run: Run, entries: Sequence[Entry]) -> str:
    """One step as it repeats, or all that happened where none does."""
    events = steady(run.trace)
    if not events:
        return ""
    marks = {(entry.primary.row, entry.primary.path): anchor(entry) for entry in entries}
    stops = [Stop(event.verb, _where(event), _wrong(event, marks)) for event in events]
    listed = "".join(
        f"<li{' class=wrong' if stop.wrong else ''}><b>{stop.verb}</b> <code>{text(event.at.text)}</code> "
        f"<small>{text(stop.where)}</small>{_link(stop)}</li>"
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


def _wrong(event: Event, marks: dict[tuple[int, str], str]) -> str:
    at = event.place
    if not isinstance(at, Site):
        return ""
    return next((name for (row, path), name in marks.items() if row == at.line and at.file.endswith(path)), "")


def _where(event: Event) -> str:
    return f"line {event.at.line}" if isinstance(event.at, Site) and event.at.line else ""


def _link(stop: Stop) -> str:
    return f' <a href="#{stop.wrong}">what is wrong here</a>' if stop.wrong else ""


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


# Findings


def _findings(view: View) -> Iterator[str]:
    if not view.entries:
        yield "<p>Nothing was found.</p>"
    for entry in view.entries:
        yield f'<article id="{anchor(entry)}" class="{text(entry.severity)}" tabindex="-1">'
        yield f"<h3><span>{text(entry.severity)}</span> {text(entry.code)} {text(entry.name)}</h3><p>{prose(entry.message)}</p>"
        yield _frame(entry, view.lines)
        yield (
            "<dl>" + "".join(f"<dt>{text(word)}</dt><dd>{prose(said)}</dd>" for word, said in remarks(entry)) + "</dl></article>"
        )


def _frame(entry: Entry, lines: Lines) -> str:
    """The rows that a finding is about, with what each has to do with it."""
    notes: dict[int, str] = {note.span.row: note.text for note in entry.related if note.span.path == entry.primary.path}
    held = lines(entry.primary)
    rows = sorted({near for row in (entry.primary.row, *notes) for near in range(row - AROUND, row + AROUND + 1)})
    shown = []
    before = 0
    for row in (row for row in rows if 1 <= row <= len(held)):
        if before and row > before + 1:
            shown.append("<span><i>   …</i></span>")
        before = row
        wrong = row == entry.primary.row
        kind = "wrong" if wrong else "part" if row in notes else ""
        said = f" <em>{text('wrong here' if wrong else notes[row])}</em>" if kind else ""
        shown.append(f'<span class="{kind}"><i>{row:>4}</i> {text(held[row - 1].rstrip())}{said}</span>')
    return f"<p><small>{text(place(entry.primary))}</small></p><pre tabindex=0>{''.join(shown)}</pre>"


_STYLE = """
:root{--ground:#fff;--ink:#1b1f24;--faint:#59636e;--edge:#d1d9e0;--wrong:#b3261e;--one:#0550ae;--two:#9a4a00;--wash:#f6f8fa}
@media(prefers-color-scheme:dark){:root{--ground:#0d1117;--ink:#e6edf3;--faint:#9aa4af;--edge:#3d444d;--wrong:#ff8b82;
--one:#79b8ff;--two:#f0a35e;--wash:#151b23}}
body{background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
a{color:var(--one)}
a:focus-visible,summary:focus-visible,pre:focus-visible,article:focus{outline:3px solid var(--one);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{position:static}
nav ul,.legend{display:flex;flex-wrap:wrap;gap:1rem;padding:0;list-style:none}
.legend li::before{content:"";display:inline-block;width:1.2em;height:.25em;margin-right:.4em;vertical-align:middle;
background:var(--one)}.legend .two::before{background:var(--two)}.legend .evaluating::before{background:var(--two)}
svg{width:100%;height:auto;display:block}.wide{overflow-x:auto}.wide svg{min-width:36rem}
svg text{fill:var(--ink);font-size:13px}.axis{stroke:var(--edge)}
polyline{fill:none;stroke-width:2}polyline.one{stroke:var(--one)}polyline.two{stroke:var(--two);stroke-dasharray:6 4}
circle.one,rect.training{fill:var(--one)}circle.two,rect.evaluating{fill:var(--two)}
.way{fill:none;stroke:var(--faint);stroke-width:2}.tip{fill:var(--faint)}.stop{fill:var(--one)}
.stop.wrong,svg text.wrong{fill:var(--wrong);font-weight:700}.beside{display:flex;flex-wrap:wrap;gap:1rem}
.beside>*{flex:1 1 20rem}li.wrong b,li.wrong a{color:var(--wrong)}table{border-collapse:collapse;display:block;overflow-x:auto}
th,td{border:1px solid var(--edge);padding:.25rem .6rem;text-align:right}
pre{background:var(--wash);border:1px solid var(--edge);padding:.6rem;overflow-x:auto}pre span{display:block}
pre i{color:var(--faint)}pre .wrong{box-shadow:inset 4px 0 var(--wrong)}pre .part{box-shadow:inset 4px 0 var(--two)}
pre em{color:var(--faint)}pre .wrong em{color:var(--wrong);font-weight:700}article{border-top:1px solid var(--edge)}
h3 span{text-transform:uppercase;font-size:.75em;border:1px solid currentColor;border-radius:3px;padding:0 .4em}
.bug h3 span{color:var(--wrong)}dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}
dt{color:var(--faint)}dd{margin:0}code{overflow-wrap:anywhere}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
"""

"""From a file to its findings: read it, judge every rule, find the places, plan the repairs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from loopcheck import packs, suppress
from loopcheck.api import AUTOGRAD_OFF
from loopcheck.cache import digest
from loopcheck.disk import contents
from loopcheck.finding import Finding, Note, Problem, Repair, Report, Span
from loopcheck.frames import in_one_piece
from loopcheck.judge import Verdict, may_meet, over_loop
from loopcheck.layout import layout
from loopcheck.loop import Event, events, taught_at, tell_at_own_call
from loopcheck.loop import Site as Place
from loopcheck.paths import Share
from loopcheck.read.library import Library, alone
from loopcheck.read.library import forget as forget_files
from loopcheck.read.text import SourceError
from loopcheck.read.triage import trains, worth_reading
from loopcheck.rule import Confidence, Rule, Witness
from loopcheck.survey import Survey
from loopcheck.verdict import settle
from loopcheck.words import is_collected

if TYPE_CHECKING:  # the parser is loaded when there is something to parse
    from loopcheck.read.front.source import Site, Source
    from loopcheck.read.program import Program

UNTRAINED = "no training code"


class Unreadable(Exception):
    """A file that cannot be analysed, with what is to be told of it."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def check_file(path: Path, rules: Sequence[Rule], library: Library | None = None) -> Report:
    """The report of one file; unreadable files come back as a problem, never as an error.

    library: what was read before, of the files that are judged one after the other.
    """
    name = str(path)
    try:
        return check_source(bytes_of(path, name), name, rules, library)
    except Unreadable as error:
        return Report(name, problems=(error.problem,))


@in_one_piece
def check_source(data: bytes, path: str, rules: Sequence[Rule], library: Library | None = None) -> Report:
    """The report of a file's bytes, which need not be on disk yet; where the file is, its project's other files are read."""
    if not worth_reading(data):
        return Report(path, skipped=UNTRAINED)

    library = library or Library()
    try:
        program = read_source(data, path, library)
    except Unreadable as error:
        return Report(path, problems=(error.problem,))
    try:
        return _report(program, path, rules, library)
    except RecursionError:
        return _report(alone(program.source), path, rules, library)


def _report(program: Program, path: str, rules: Sequence[Rule], library: Library) -> Report:
    from loopcheck.read.front.source import Site

    source = program.source
    findings: dict[tuple[str, Span], Finding] = {}
    others: dict[Source, None] = {}
    undecided: list[str] = []
    met: list[suppress.Met] = []
    for each in (program, *sorted(program.callers, key=lambda caller: _is_test(caller.source))):
        verdicts, lost = _judged(each, with_speakers(rules))
        undecided += lost
        for rule, verdict in verdicts:
            _spare_training(each, rule.primary(verdict.witness), library)
            at = rule.primary(verdict.witness).place
            assert isinstance(at, Site)
            met.append((rule, _told_at(verdict, at.seen_from(source))))
            seen = _seen(program, verdict, at) if _concerns(program, each, verdict, at) else None
            told = findings.get((rule.code, seen)) if seen else None
            if rule in rules and seen is not None and (told is None or told.confidence is Confidence.LOW):
                surest = _surest(rule, verdict, library)
                if told is None or surest.confidence > told.confidence:
                    findings[rule.code, seen] = _finding(rule, surest, seen, library)
                others.update(dict.fromkeys(each for each in _sources(verdict.witness) if each is not source))
    ignores, misspelled = suppress.ignores(source.text, source.path, rules, source.place)
    elsewhere = [each for other in others for each in suppress.ignores(other.text, other.path, rules, other.place)[0]]
    kept, silenced = suppress.apply(sorted(findings.values(), key=_place), [*ignores, *elsewhere])
    cut = dict.fromkeys(cut for each in (program, *program.callers) for cut in each.cut)
    whole = not (undecided or cut or source.problems)
    unused = suppress.unused(ignores, met, rules) if whole else []
    stale = {problem.span for problem in unused}
    problems = (*source.problems, *(each for each in misspelled if each.span not in stale), *unused)
    return Report(path, kept, problems, source.skipped, tuple(dict.fromkeys(undecided)), tuple(cut), silenced)


@lru_cache(maxsize=64)
def _judged(program: Program, rules: tuple[Rule, ...]) -> tuple[list[tuple[Rule, Verdict]], list[str]]:
    """The verdicts that the rules stand by, and what had too many ways through it to be judged."""
    met: list[tuple[Rule, Verdict]] = []
    undecided: list[str] = []
    chains = [(chain, rule.per) for rule in rules for chain in rule.chains]
    entries = [Survey(entry) for entry in program.entries if may_meet(entry, chains)]
    for rule in rules:
        for chain, entry in itertools.product(rule.chains, entries):
            found, lost = over_loop(chain, rule.per, entry)
            met += [(rule, verdict) for verdict in found if _span(rule.primary(verdict.witness).place)]
            undecided += [f"{rule.name}: {role.name}" for role in lost]
    return settle(met), undecided


def forget() -> None:
    """Let go of what was read and judged."""
    from loopcheck.read.stops.ending import forget as forget_reasons

    _judged.cache_clear()
    forget_files()
    forget_reasons()


def bytes_of(path: Path, name: str) -> bytes:
    """What a file holds. Raises Unreadable."""
    try:
        return contents(path)
    except OSError as error:
        raise Unreadable(Problem("unreadable", error.strerror or str(error), Span(name, 1, 1, 1, 1))) from None


def read_source(data: bytes, path: str, library: Library | None = None) -> Program:
    """The program in a file's bytes. Raises Unreadable."""
    library = (library or Library()).holding(path, data)
    try:
        return library.program(library.source(path, data))
    except SourceError as error:
        at = Span(path, error.row, error.column, error.row, error.column)
        raise Unreadable(Problem(error.code, str(error), at)) from None
    except RecursionError:
        message = "the code is nested too deeply to be analysed"
        raise Unreadable(Problem("too-deep", message, Span(path, 1, 1, 1, 1))) from None


def with_speakers(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules, and those that speak instead of one of them: they are judged even where they are not selected."""
    named = {name for rule in rules for name in rule.unless}
    return (*rules, *(rule for rule in packs.rules() if rule.name in named and rule not in rules))


def _finding(rule: Rule, surest: _Surest, span: Span, library: Library) -> Finding:
    """span: of the place, or where that is in another file, of the call that leads there."""
    verdict, confidence, because = surest
    witness = verdict.witness
    primary = rule.primary(witness)
    told = [(what, site) for event in witness.events for what, site in event.origins]
    told += [(event.verb, event.at) for event in reversed(witness.events)]
    places = {site.place: (what, site) for what, site in told}
    notes = [Note(at, what) for what, site in places.values() if (at := _span(site)) is not None and at != span]
    elsewhere = _span(primary.place)
    planned, unmended = _planned(rule, witness, library)
    changes, mended_in = _changes(rule, primary, planned)
    if planned and span.path not in (files := [edit.span.path for edit in planned.edits]):
        planned, unmended = None, f"the change is one of {files[0]}, and made when that is judged"
    return Finding(
        rule=rule,
        message=rule.sentence(witness),
        confidence=confidence,
        primary=span,
        related=tuple(sorted(notes, key=lambda note: note.span)),
        repair=planned,
        elsewhere=elsewhere if elsewhere != span else None,
        because=because,
        witness=tuple(Note(at, event.verb) for event in witness.events if (at := _span(event.at)) is not None),
        fingerprint=_fingerprint(rule, verdict, primary.place, span),
        unmended=unmended,
        changes=changes,
        mended_in=mended_in,
    )


def _changes(rule: Rule, primary: Event, planned: Repair | None) -> tuple[tuple[str, ...], str]:
    """What tells the changes that mend a finding from others, and the file that they are made in; empty where none is known.

    Where a person has to put a pass under a context, the pass is to be changed, whichever call leads there. A context around
    a function takes in all that it computes in no loop.
    """
    made: list[object] = [[(edit.span, edit.content) for edit in planned.edits]] if planned else []
    path = planned.edits[0].span.path if planned else ""
    if rule.mends_passes and (at := _span(primary.at)) and (told := _span(primary.place)):
        made += [] if planned else [at]
        around = _function(primary.place, told)
        made += [(told.path, around)] if around and primary.during is None else []
        path = path or at.path
    return tuple(digest(repr(each).encode(errors="surrogatepass")) for each in made), path


def _function(at: Place, span: Span) -> str:
    """The name of the function or class around a place that is told of at a span; empty where that is in another file."""
    source = getattr(at, "source", None)
    return layout(source.text).enclosing(span.row) if source and source.path == span.path and not span.cell else ""


def _planned(rule: Rule, witness: Witness, library: Library) -> tuple[Repair | None, str]:
    """The repair, or why there is none."""
    from loopcheck.write.plan import Project, plan
    from loopcheck.write.statements import NoPlan

    if rule.fix and (asked := _asked_before(rule.fix.since, witness, library)):
        return None, f"it is written for torch {asked}, which has nothing to mend it with"
    try:
        return plan(rule, witness, Project(library.width, library.importers, library.says)), ""
    except NoPlan as reason:
        return None, str(reason)


def _fingerprint(rule: Rule, verdict: Verdict, at: Place, span: Span) -> str:
    told = [rule.code, _function(at, span), *(f"{event.verb} {event.at.text}" for event in verdict.witness.events)]
    return digest("\n".join(told).encode(errors="surrogatepass"))


def _told_at(verdict: Verdict, seen: Span | None) -> tuple[Span, ...]:
    """Every place that has a part in a verdict: where a comment may silence it, whichever file it is told in."""
    events = verdict.witness.events
    places = (seen, *(_span(at) for event in events for at in (event.at, *(site for _, site in event.origins))))
    return tuple(place for place in places if place)


def _sources(witness: Witness) -> list[Source]:
    """The files that a witness lies in, the framework's own code left out."""
    sources: list[Source] = [event.at.source for event in witness.events if hasattr(event.at, "source")]
    return [source for source in sources if source.path]


def _spare_training(program: Program, event: Event, library: Library) -> None:
    """An evaluation is told at its own call where another program of the project trains by the code that this leads to.

    Found out for each report anew: what it is told of depends on those programs, whoever has asked before.
    """
    from loopcheck.read.front import ir
    from loopcheck.read.front.source import Site

    site = event.at
    if event.verb != "forward" or not event.evaluates or not isinstance(site, Site):
        return
    match site.caller, site.source.file:
        case Site(source, ir.Call(function=ir.Name(name=name) | ir.Attribute(name=name))), Path() as file if (
            source is not site.source
        ):
            whole = layout(site.source.text).enclosing(site.row).partition(".")[0]  # of a method, who makes objects of its class
            programs = (program, *library.callers(file, frozenset([name, whole])))
            tell_at_own_call(event, taught_at(each for other in programs for entry in other.entries for each in events(entry)))


def _concerns(asked: Program, read: Program, verdict: Verdict, at: Site) -> bool:
    """Whether a verdict on a program that was read is for the file that is asked for: the story comes together in it, or it has
    a part in the story. Of a story that was read in a caller, only what ends here.

    at: where it ends.
    """
    if _meeting(read, verdict) is asked.source or _told_of(read, at) is asked.source:
        return True
    places = [event.at for event in (*verdict.witness.events, *_made(read, verdict))]
    return read is asked and any(getattr(each, "source", None) is asked.source for each in places)


def _seen(asked: Program, verdict: Verdict, at: Site) -> Span | None:
    """Where the file that is asked for shows a verdict: the place itself, or the call that leads to it. What another file does
    when it is imported shows where the story goes on in this one."""
    from loopcheck.read.front.source import Site

    seen = at.seen_from(asked.source)
    if seen is not None:
        return seen
    sites = (event.at for event in verdict.witness.events if isinstance(event.at, Site))
    places = (site.seen_from(asked.source) for site in sites)
    return next((place for place in places if place), None)


def _made(program: Program, verdict: Verdict) -> list[Event]:
    """Where the object that a verdict is about was made: who made it can mend what is done with it elsewhere."""
    role = verdict.witness.role
    return [event for entry in program.entries for event in events(entry) if event.verb == "build" and role in event.on]


def _meeting(read: Program, verdict: Verdict) -> Source:
    """The file in which the events of a witness come together: that of the innermost function from which all are reached, but for
    those that happen when another file is imported."""
    from loopcheck.read.front.source import Entered, Site

    met = [event.at for event in verdict.witness.events if isinstance(event.at, Site)]
    sites = [site for site in met if site.source is read.source or any(isinstance(call, Entered) for call in site.calls)] or met
    calls = [[call for call in site.calls if isinstance(call, Entered)] for site in sites]
    shared = sum(1 for _ in itertools.takewhile(lambda level: len(set(level)) == 1, zip(*calls, strict=False)))
    return calls[0][shared].source if shared < len(calls[0]) else sites[0].source


def _told_of(read: Program, at: Site) -> Source:
    """The file that is told of what ends at a place: its own, or where nobody asks in that who calls it, a file of helpers, the
    one from which they are called."""
    from loopcheck.read.front.source import Entered

    sources = [at.source, *(call.source for call in reversed(at.calls) if isinstance(call, Entered))]
    return next((source for source in sources if not source.path or source is read.source or _asks(source, read)), at.source)


def _asks(source: Source, read: Program) -> bool:
    """Whether a file has a function that is worth reading alone, and that a program has reached, for which it is read there."""
    from loopcheck.read.front.relevance import stands_alone

    functions = source.index.functions.values()
    names = {f"{each.owner}.{each.name}" if each.owner else each.name for each in functions if stands_alone(each, source.index)}
    return not read.reached.isdisjoint((source.path, name) for name in names) and trains(source.text.encode())


def _span(at: Place) -> Span | None:
    return getattr(at, "span", None)


_BY_NAME = "named"


class _Surest(NamedTuple):
    """A verdict, how sure one may be of it, and why."""

    verdict: Verdict
    confidence: Confidence
    because: str


def _surest(rule: Rule, verdict: Verdict, library: Library) -> _Surest:
    """A verdict with how sure one may be of it; where one may not, another one of its place if that is surer."""
    told = _Surest(verdict, *_weakest(rule, verdict, library))
    others = verdict.others if told.confidence is Confidence.LOW else ()
    surer = (_Surest(each, *_weakest(rule, each, library)) for each in others)
    return next((each for each in surer if each.confidence > told.confidence), told)


def _weakest(rule: Rule, verdict: Verdict, library: Library) -> tuple[Confidence, str]:
    return min(_doubts(rule, verdict, library), key=lambda doubt: doubt[0])


def _doubts(rule: Rule, verdict: Verdict, library: Library) -> Iterator[tuple[Confidence, str]]:
    """How sure one may be of a verdict, and why: the weakest counts, and of several the one told first."""
    from loopcheck.read.front.source import Site
    from loopcheck.read.stops.callers import shielded, unread_caller, unspoken
    from loopcheck.read.stops.ending import ends_before
    from loopcheck.read.stops.taken_out import taken_out

    sites = [event.at for event in verdict.witness.events if isinstance(event.at, Site)]
    if any(_is_test(source) for site in sites for source in site.sources if source.path):
        yield Confidence.LOW, "it is part of a unit test"
    if stopped := ends_before(sites, library):
        yield Confidence.LOW, f"the run ends before it comes here: {stopped}"
    if unread := unread_caller(sites, library):
        yield Confidence.LOW, f"{unread}, which may call it, is no Python"
    if unasked := unspoken(sites, library):
        yield Confidence.LOW, f"nothing in the project speaks of `{unasked}`"
    if rule.mends_passes and (shield := shielded(sites[-1:], library, AUTOGRAD_OFF)):
        yield Confidence.LOW, f"all that calls a `{shield}` here has autograd off"
    if rule.meant and (call := taken_out(rule.meant, sites[-1:])):
        yield Confidence.LOW, f"`{call}` was taken out here, and stands as a comment"
    if asked := _asked_before(rule.since, verdict.witness, library):
        yield Confidence.LOW, f"it is written for torch {asked}, and this is so since {rule.since}"
    if assumed := rule.assumed(verdict.witness):
        yield Confidence.MEDIUM if rule.is_shown(verdict.witness) else Confidence.LOW, f"it is not known that {assumed}"
    if verdict.share is Share.CONFIGURED:
        yield rule.configured, "it holds where the run is configured so"
    elif verdict.share is Share.SOME:
        yield rule.some_paths, "it holds on some ways through the code"
    for role in dict.fromkeys(role for event in verdict.witness.events for role in event.on):
        if role.evidence == _BY_NAME:
            yield Confidence.MEDIUM, f"what `{role.name or role.kind}` is, only its name or its call tells"
    if sum(event.supposed for event in verdict.witness.events) > 1:
        yield Confidence.MEDIUM, "who calls these methods in this order is not in sight"
    if rule.confidence and (doubt := rule.confidence(verdict.witness)) < Confidence.HIGH:
        yield doubt, "code like this may be meant so"
    yield Confidence.HIGH, "its objects are known, and it holds on every way through the code"


def _asked_before(since: str, witness: Witness, library: Library) -> str:
    """The release of torch that the files of a witness are written for, if that is one from before another; else empty."""
    from loopcheck.read.pins import release

    asked = _release(_sources(witness), library) if since else ""
    return asked if asked and release(asked) < release(since) else ""


def _release(sources: Sequence[Source], library: Library) -> str:
    """The newest release of torch that files are written for; empty where nothing says so."""
    from loopcheck.read.stops.releases import indexes_numbers

    pins = [pin for source in sources if source.file and (pin := library.torch(source.file))]
    return next(iter(pins), "0.4" if any(map(indexes_numbers, sources)) else "")


def _is_test(source: Source) -> bool:
    """Whether a file tests code: it says so, or pytest collects it and nobody runs it as a script."""
    return source.index.tests or (is_collected(source.path) and not source.index.guarded)


def _place(finding: Finding) -> tuple[Span, str]:
    return finding.primary, finding.rule.code

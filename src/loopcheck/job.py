"""The work on files, from their paths to what is shown of them: judge each, and mend it where that is asked for."""

from __future__ import annotations

import difflib
import gc
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from loopcheck import garbage, packs, plain
from loopcheck.cache import Cache
from loopcheck.check import UNTRAINED, Unreadable, check_file, check_source
from loopcheck.disk import contents
from loopcheck.excerpt import parts
from loopcheck.files import inside
from loopcheck.finding import Finding, Problem, Report, Span
from loopcheck.fix import SAFE, UNSAFE
from loopcheck.kept import keep, recall
from loopcheck.once import brought_home, first_told
from loopcheck.read import own
from loopcheck.read.library import Library
from loopcheck.read.triage import worth_reading
from loopcheck.rule import Confidence, Rule

if TYPE_CHECKING:
    from loopcheck.write.apply import Mended


@dataclass(frozen=True)
class Job:
    """What is asked for of every file.

    least: findings that are less sure are left out. mend: make safe repairs. unsafe: and those that change the result.
    dry: show what mending would do, and write nothing. roots: what a link may lead to and be mended; all, where there are none.
    spared: which findings are not told, whatever they are. settled: a finding with the repair that may be made of it.
    silent: what a comment silences is not told. same_as: names that mean what known ones mean.
    """

    rules: Sequence[Rule]
    least: Confidence = Confidence.LOW
    mend: bool = False
    unsafe: bool = False
    dry: bool = False
    roots: Sequence[Path] = ()
    spared: Callable[[Finding], bool] = lambda finding: False
    settled: Callable[[Finding], Finding] = lambda finding: finding
    silent: bool = True
    same_as: Mapping[str, str] = field(default_factory=dict)

    def asks_for(self, finding: Finding) -> bool:
        return finding.confidence >= self.least and not self.spared(finding)

    @property
    def ways(self) -> tuple[str, ...]:
        """The applicabilities of the repairs that are asked for."""
        return ((SAFE, UNSAFE) if self.unsafe else (SAFE,)) if self.mend else ()


@dataclass(frozen=True)
class Outcome:
    """What came of one file. report: of what it holds in the end. trace: of an error of ours, for those who look for it."""

    report: Report
    before: bytes = b""
    mended: Mended | None = None
    trace: str | None = None

    @property
    def changed(self) -> bool:
        return self.mended is not None and self.mended.data != self.before


Known: TypeAlias = Callable[[int, Outcome], None]
"""Hears what came of a file, by its number, as soon as that is known."""

EACH = 4
"""Files to judge that are worth a process more."""


def cores() -> int:
    """The processor's cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


MOST_MADE = 10_000_000
"""Objects that are made and kept between two collections of garbage: about a gigabyte. A collection looks through all of it."""


def work(
    paths: Sequence[Path],
    job: Job,
    cache: Cache | None = None,
    jobs: int = 1,
    known: Known | None = None,
    library: Library | None = None,
) -> list[Outcome]:
    """Do a job on files. Each is judged as if those mended before were on disk; a defect that several lead to is told once.

    cache: what earlier runs found out. jobs: so many processes may work at a time; those that mend wait for each other.
    library: what was read before, which copies of this process have as well.
    """
    learn(job.same_as)
    heard = known or (lambda number, outcome: None)
    library = library or Library(paths, cache)
    with garbage.later():
        if not job.mend:
            return told_once(_all_judged(paths, job, library, jobs, heard))
        return _all_mended(paths, job, library, heard)


def learn(same_as: Mapping[str, str]) -> None:
    """Read names as the settings say. Raises Misuse. What most settings say, nothing, costs nothing."""
    if dict(same_as) != dict(own.known()):
        from loopcheck.read import vocabulary

        vocabulary.learn(same_as)


def _all_mended(paths: Sequence[Path], job: Job, library: Library, heard: Known) -> list[Outcome]:
    outcomes: list[Outcome] = []
    for number, path in enumerate(paths):
        outcomes.append(_safely(_mend, path, job, library))
        heard(number, outcomes[-1])
        library = _holding(library, outcomes[-1])
    outcomes, library = _mended_together(outcomes, job, library)
    mended = {outcome.report.path for outcome in outcomes if outcome.changed}
    return told_once([_judged_again(outcome, job, library, mended) for outcome in outcomes])


def _mended_together(outcomes: list[Outcome], job: Job, library: Library) -> tuple[list[Outcome], Library]:
    """The same outcomes with the repairs made that have parts in several files."""
    numbers = {outcome.report.path: number for number, outcome in enumerate(outcomes)}
    touched: set[str] = set()
    for path, number in numbers.items():
        for finding in outcomes[number].report.findings:
            names = _together(finding, job)
            if len(names) < 2 or not touched.isdisjoint({path, *names}):
                continue  # what was found of a file that has changed since is for the next run
            made = _mended_as_one(finding, [outcomes[numbers[each]] for each in names if each in numbers], names, job, library)
            for outcome in made:
                outcomes[numbers[outcome.report.path]] = outcome
                library = _holding(library, outcome)
            if len(made) > 1:
                touched |= names
    return outcomes, library


def _together(finding: Finding, job: Job) -> set[str]:
    """The files that a repair that is asked for has parts in."""
    repair = finding.repair
    return {edit.span.path for edit in repair.edits} if repair and repair.applicability in job.ways else set()


def _judging(job: Job, library: Library) -> Callable[[Mapping[str, bytes]], dict[str, Report]]:
    """What is known of files that are taken to hold other bytes, all of them at once."""

    def judged(changed: Mapping[str, bytes]) -> dict[str, Report]:
        holding = library
        for path, data in changed.items():
            holding = holding.holding(path, data)
        return {path: narrowed(check_source(data, path, job.rules, holding), job) for path, data in changed.items()}

    return judged


def holds_together(finding: Finding, job: Job, beside: Mapping[Path, bytes]) -> bool:
    """Whether a repair with parts in several files does what it is for. beside: what some files are taken to hold."""
    from loopcheck.write.apply import Mended, Objection, mended_together

    learn(job.same_as)
    library = Library([Path(finding.primary.path)])
    for path, held in beside.items():
        library = library.holding(str(path), held)
    judged = _judging(job, library)
    data = {name: library.data(Path(name)) for name in _together(finding, job)}
    try:
        files = {name: Mended(data[name], report) for name, report in judged(data).items()}
        return bool(mended_together(finding, files, judged))
    except (Objection, Unreadable):
        return False


def _mended_as_one(finding: Finding, outcomes: Sequence[Outcome], names: Set[str], job: Job, library: Library) -> list[Outcome]:
    """What becomes of files by a repair that has a part in each; where it is not made, of the one that the finding is in."""
    from loopcheck.write.apply import Mended, Objection, Withdrawn, mended_together
    from loopcheck.write.overwrite import Refused, overwrite_all

    before = {each.report.path: each.mended.data if each.mended else library.data(Path(each.report.path)) for each in outcomes}
    files = {each.report.path: each.mended or Mended(before[each.report.path], each.report) for each in outcomes}
    try:
        if absent := names - files.keys():
            raise Objection(f"a part of it is in {min(absent)}, which is not to be mended here")
        if away := [path for path in files if not inside(Path(path), job.roots)]:
            raise Objection(f"a part of it is in {away[0]}, which is a link out of what is to be mended")
        made = mended_together(finding, files, _judging(job, library))
        if not job.dry:
            overwrite_all([(Path(path), each.data, before[path]) for path, each in made.items()])
    except (Objection, Refused) as reason:
        home = next(each for each in outcomes if each.report.path == finding.primary.path)
        kept = files[finding.primary.path]
        withdrawn = replace(kept, withdrawn=(*kept.withdrawn, Withdrawn(finding, str(reason))))
        return [replace(home, before=home.before or before[finding.primary.path], mended=withdrawn)]
    return [
        replace(each, report=made[path].report, before=each.before if each.mended else before[path], mended=made[path])
        for each in outcomes
        for path in [each.report.path]
    ]


def _all_judged(paths: Sequence[Path], job: Job, library: Library, jobs: int, known: Known) -> list[Outcome]:
    """What is known without judging comes first, and tells how much there is to do."""
    outcomes: dict[int, Outcome] = {}

    def hear(number: int, outcome: Outcome) -> None:
        outcomes[number] = outcome
        known(number, outcome)

    for path in paths:
        library.data(path)  # before anything is asked, so that each file is read and hashed once
    for number, path in enumerate(paths):
        report = _at_a_glance(path, job.rules, library)
        if report is not None:
            hear(number, Outcome(narrowed(report, job)))
    left = [number for number in range(len(paths)) if number not in outcomes]
    workers = min(jobs, len(left) // EACH)
    if workers > 1:
        for number, outcome in _spread(paths, left, job, library, workers):
            hear(number, outcome)
    else:
        for number in left:
            hear(number, _safely(_judged, paths[number], job, library))
    return [outcomes[number] for number in range(len(paths))]


def _at_a_glance(path: Path, rules: Sequence[Rule], library: Library) -> Report | None:
    """The report of a file that need not be parsed for it."""
    data = library.data(path)
    if worth_reading(data):
        return recall(path, rules, library)
    return Report(str(path), skipped=UNTRAINED) if data or _is_empty(path) else None


def _is_empty(path: Path) -> bool:
    """Whether a file can be read and has nothing in it."""
    try:
        return not contents(path)
    except OSError:
        return False


def _judged(path: Path, job: Job, library: Library) -> Outcome:
    with library.noting() as asked:
        report = check_file(path, job.rules, library)
    keep(path, job.rules, library, report, asked)
    return Outcome(narrowed(report, job))


def _spread(
    paths: Sequence[Path], left: Sequence[int], job: Job, library: Library, workers: int
) -> Iterator[tuple[int, Outcome]]:
    """What comes of files that are judged in several processes, a project's in one as far as may be: each reads for itself."""
    from loopcheck import pool

    projects: dict[Path, list[int]] = {}
    for number in left:
        projects.setdefault(library.root(paths[number]), []).append(number)
    cache = library.cache
    read = library if pool.METHOD == "fork" else None
    asked = list(paths), [rule.code for rule in job.rules], cache.folder, cache.edition, dict(job.same_as), read
    with closing(pool.spread(_judge, asked, list(projects.values()), workers)) as answers:
        for number, answer in answers:
            if isinstance(answer, pool.Died):
                message = f"the process that judged this file ended with {answer}; {PLEASE}"
                yield number, Outcome(_failed(paths[number], "internal", message))
            else:
                packed, trace, trouble = answer
                cache.trouble = cache.trouble or trouble
                yield number, Outcome(narrowed(plain.unpack(packed, job.rules), job), trace=trace)


def _judge(
    paths: Sequence[Path],
    codes: Sequence[str],
    folder: Path | None,
    edition: str,
    same_as: Mapping[str, str],
    read: Library | None = None,
) -> Callable[[int], Any]:
    """What judges files by their numbers, in a process of its own perhaps, and answers with plain data.

    read: what the process has read that this one is a copy of.
    """
    from loopcheck.read import program  # noqa: F401  what all will need is loaded before there are copies of this process
    from loopcheck.write import plan  # noqa: F401

    gc.disable()
    learn(same_as)
    job = Job([rule for rule in packs.rules() if rule.code in codes])
    library = read or Library(paths, Cache(folder, edition))

    def judge(number: int) -> Any:
        outcome = _safely(_judged, paths[number], job, library)
        return plain.pack(outcome.report), outcome.trace, library.cache.trouble

    return judge


def _holding(library: Library, outcome: Outcome) -> Library:
    return library.holding(outcome.report.path, outcome.mended.data) if outcome.mended else library


def _judged_again(outcome: Outcome, job: Job, library: Library, mended: Set[str]) -> Outcome:
    """What came of a file in which was told of a defect that a file which was mended later has a part in."""
    path = outcome.report.path
    others = {each.path for finding in outcome.report.findings for each in _places(finding)} - {path}
    if not others.isdisjoint(mended):
        data = outcome.mended.data if outcome.mended else contents(Path(path))
        return replace(outcome, report=narrowed(check_source(data, path, job.rules, library), job))
    return outcome


def _places(finding: Finding) -> tuple[Span, ...]:
    """Every piece of code that has a part in a finding, where it is told and where it really is."""
    return (*([finding.elsewhere] if finding.elsewhere else []), *finding.spans, *(note.span for note in finding.witness))


def told_once(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """A finding at a call goes where the defect is told of in its own file, or at another call before, and comes into that file
    where it is mended there. Of several that one change mends, one stays.

    What is told of and mended in its own file need not wait for the others. A comment is not unused that silences
    something in another file.
    """
    told = first_told(finding for outcome in outcomes for finding in outcome.report.findings)
    kept = first_told(each.finding for outcome in outcomes for each in outcome.report.silenced)
    used = {silenced.by for outcome in outcomes for silenced in outcome.report.silenced}
    reports = brought_home([_telling(outcome.report, told, kept) for outcome in outcomes])
    return [replace(outcome, report=_without_unused(report, used)) for outcome, report in zip(outcomes, reports, strict=True)]


def _telling(report: Report, told: Mapping[int, Finding], kept: Mapping[int, Finding]) -> Report:
    silenced = tuple(each for each in report.silenced if id(each.finding) in kept)
    return replace(report, findings=tuple(told[id(each)] for each in report.findings if id(each) in told), silenced=silenced)


def _without_unused(report: Report, used: Set[Span | None]) -> Report:
    problems = tuple(problem for problem in report.problems if problem.code != "unused" or problem.span not in used)
    return replace(report, problems=problems)


def _safely(do: Callable[[Path, Job, Library], Outcome], path: Path, job: Job, library: Library) -> Outcome:
    """An error of ours becomes a problem of this file: it must not take the others along."""
    try:
        return do(path, job, library)
    except RecursionError:
        return Outcome(_failed(path, "too-deep", "the code is nested too deeply to be analysed"))
    except Exception as error:
        return Outcome(_failed(path, "internal", crash(error)), trace=traceback.format_exc())
    finally:
        if gc.get_count()[0] > MOST_MADE:
            gc.collect()


PLEASE = "this is a bug of loopcheck, please report it"


def crash(error: Exception) -> str:
    """What to tell a person of an error that is ours."""
    at = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(at.filename).name}:{at.lineno}"
    return f"loopcheck failed with {type(error).__name__}: {error} ({where}); {PLEASE}"


def diff(outcome: Outcome) -> Iterator[str]:
    """What mending changes in a file, as a unified diff, line by line."""
    if outcome.mended is None:
        return
    before, after = (parts(outcome.report.path, data) for data in (outcome.before, outcome.mended.data))
    for (name, old), (_, new) in zip(before, after, strict=True):
        for line in difflib.unified_diff(old, new, name, name):
            if line.endswith(("\n", "\r")):
                yield line
            else:
                yield from (f"{line}\n", "\\ No newline at end of file\n")


def work_on(
    data: bytes, path: Path, job: Job, cache: Cache | None = None, beside: Mapping[Path, bytes] = MappingProxyType({})
) -> Outcome:
    """Do a job on what a file may hold; nothing is written, and the file, if it is there, is not read.

    beside: what other files are taken to hold.
    """

    def do(path: Path, job: Job, library: Library) -> Outcome:
        from loopcheck.write.apply import mend

        mended = (
            mend(data, str(path), job.rules, unsafe=job.unsafe, only=job.asks_for, settled=job.settled, library=library)
            if job.mend
            else None
        )
        report = mended.report if mended else check_source(data, str(path), job.rules, library)
        return Outcome(narrowed(report, job), data, mended)

    learn(job.same_as)
    library = Library([path], cache)
    for other, held in {**beside, path: data}.items():
        library = library.holding(str(other), held)
    with garbage.later():
        return _safely(do, path, job, library)


def _mend(path: Path, job: Job, library: Library) -> Outcome:
    from loopcheck.write.apply import mend, spared
    from loopcheck.write.overwrite import Refused, overwrite

    report = _settled(_at_a_glance(path, job.rules, library) or check_file(path, job.rules, library), job)
    if not any(finding.repair for finding in report.findings) and not any(problem.repair for problem in report.problems):
        return Outcome(narrowed(report, job))
    before = contents(path)
    if not job.dry and not inside(path, job.roots):
        as_it_is = spared(before, report, job.ways, "it is a link out of what is to be mended")
        return Outcome(narrowed(report, job), before, as_it_is)
    mended = mend(before, str(path), job.rules, unsafe=job.unsafe, only=job.asks_for, settled=job.settled, library=library)
    if not job.dry:
        try:
            overwrite(path, mended.data, before)
        except Refused as error:
            problem = _failed(path, "unwritable", str(error)).problems
            return Outcome(replace(narrowed(report, job), problems=(*report.problems, *problem)))
    return Outcome(narrowed(mended.report, job), before, mended)


def narrowed(report: Report, job: Job) -> Report:
    """What of a report is asked for."""
    return _only(_settled(report if job.silent else report.aloud, job), job.asks_for)


def _settled(report: Report, job: Job) -> Report:
    """The report with the repairs that may be made of what is found."""
    silenced = tuple(replace(each, finding=job.settled(each.finding)) for each in report.silenced)
    return replace(report, findings=tuple(map(job.settled, report.findings)), silenced=silenced)


def _only(report: Report, keep: Callable[[Finding], bool]) -> Report:
    silenced = tuple(each for each in report.silenced if keep(each.finding))
    return replace(report, findings=tuple(filter(keep, report.findings)), silenced=silenced)


def _failed(path: Path, code: str, message: str) -> Report:
    return Report(str(path), problems=(Problem(code, message, Span(str(path), 1, 1, 1, 1)),))

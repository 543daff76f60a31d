"""`loopcheck check PATH...`: judge files, and show or mend what is found."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import click

from loopcheck import cli, config, excerpt, files, packs, select
from loopcheck.cache import Cache, edition
from loopcheck.finding import Report
from loopcheck.job import Job, Outcome, cores, diff, told_once, work
from loopcheck.rule import Confidence, Rule
from loopcheck.show import github, json, text
from loopcheck.show.entry import ERROR, Entry, entries
from loopcheck.show.frame import Lines
from loopcheck.show.progress import Bar, Flow


@dataclass(frozen=True)
class Options:
    """What the caller asks for, by the names of the command line."""

    paths: tuple[Path, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    min_confidence: str | None
    output_format: str
    fix: bool
    unsafe_fixes: bool
    diff: bool
    exit_zero: bool
    jobs: int | None
    no_cache: bool
    cache_dir: Path | None
    verbose: bool


def _split(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> tuple[str, ...]:
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


@click.command(name="check")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--select", multiple=True, callback=_split, metavar="RULES", help="What to judge: codes, names, groups or ALL.")
@click.option("--ignore", multiple=True, callback=_split, metavar="RULES", help="What not to judge.")
@click.option("--min-confidence", type=click.Choice(config.CONFIDENCES), help="Leave out what is less sure.  [default: medium]")
@click.option("--output-format", type=click.Choice(["text", "json", "github"]), default="text", show_default=True)
@click.option("--fix", is_flag=True, help="Mend what can be mended without changing anything else.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: mend what changes the result, too.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 where something is found.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Processes that work at a time.  [default: one for each core]")
@click.option("--no-cache", is_flag=True, help="Judge every file anew, and keep nothing for the next run.")
@click.option("--cache-dir", type=click.Path(path_type=Path), help="Where to keep what the next run need not find out again.")
@click.option("-v", "--verbose", is_flag=True, help="Say what was not judged, and why.")
@click.pass_context
def command(context: click.Context, /, **options: object) -> None:
    """Find the defects of the training loops in files and folders.

    Exit code: 0 every file was judged and nothing found, 1 something found, 2 wrong use, 3 a file could not be analysed,
    130 interrupted.
    """
    context.exit(run(Options(**options)))  # type: ignore[arg-type]


def run(options: Options) -> int:
    """Judge, show, and tell the exit code."""
    if options.unsafe_fixes and not (options.fix or options.diff):
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff")
    settings = config.load(files.common_folder(options.paths))
    job = Job(
        rules=_rules(options, settings),
        least=Confidence[options.min_confidence.upper()] if options.min_confidence else settings.min_confidence,
        mend=options.fix or options.diff,
        unsafe=options.unsafe_fixes,
        dry=options.diff,
    )
    cache = Cache() if options.no_cache else Cache(options.cache_dir or settings.cache, edition(packs.sources()))
    paths = files.find(options.paths, settings.exclude, settings.folder)
    bar = Bar(len(paths), sys.stderr)
    flow = Flow(bar, _lines() if options.output_format == "text" and not job.mend and sys.stdout.isatty() else None)
    known: dict[int, Outcome] = {}

    def hear(number: int, outcome: Outcome) -> None:
        known[number] = outcome
        flow.hear(number, outcome.report)

    try:
        outcomes = work(paths, job, cache, options.jobs or cores(), hear)
    except KeyboardInterrupt:
        outcomes = told_once([known[number] for number in sorted(known)])
        left = len(paths) - len(outcomes)
    else:
        left = 0
    finally:
        bar.erase()
    reports = [outcome.report for outcome in outcomes]
    if options.verbose and cache.trouble:
        click.echo(cache.trouble, err=True)
    for note in _notes(outcomes, job, options):
        click.echo(note, err=True)
    if options.diff:
        _show_diff(outcomes)
        found = any(outcome.changed for outcome in outcomes)
    else:
        _show(reports, options.output_format, flow.shown, left)
        found = any(map(entries, reports))
    if left:
        return cli.INTERRUPTED
    if any(entry.severity == ERROR for report in reports for entry in entries(report)):
        return cli.FAILED
    return cli.FOUND if found and not options.exit_zero else cli.OK


def _rules(options: Options, settings: config.Settings) -> tuple[Rule, ...]:
    """What the caller selects, or else what the settings do; less what the caller ignores."""
    rules = packs.rules()
    asked = select.choose(rules, options.select or (select.ALL,), options.ignore)
    try:
        usual = select.choose(rules, settings.select, settings.ignore)
    except select.UnknownRule as error:
        raise select.UnknownRule(f"{settings.file}: {error}") from None
    return asked if options.select else tuple(rule for rule in usual if rule in asked)


def _show(reports: Sequence[Report], output_format: str, shown: Set[Entry], left: int) -> None:
    match output_format:
        case "json":
            click.echo(json.show(reports))
        case "github":
            click.echo(github.show(reports, excerpt.row), nl=any(map(entries, reports)))
        case _:
            for block in text.show(reports, _lines(), shown, left):
                click.echo(block)


def _show_diff(outcomes: Sequence[Outcome]) -> None:
    """The changes on stdout, as a patch; what could not be analysed beside it."""
    for outcome in outcomes:
        for line in diff(outcome):
            click.echo(click.style(line, fg=_DIFF_COLOURS.get(line[0])), nl=False)
        for entry in entries(replace(outcome.report, findings=())):
            click.echo(text.block(entry, _lines()), err=True)


_DIFF_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def _lines() -> Lines:
    lines = cache(excerpt.lines)
    return lambda span: lines(span.path, span.cell)


def _notes(outcomes: Sequence[Outcome], job: Job, options: Options) -> Iterator[str]:
    """What was mended; under --verbose also what was not judged or not mended, and why."""
    verb = "would be mended" if options.diff else "mended"
    for outcome in outcomes:
        path = outcome.report.path
        for finding in outcome.mended.applied if outcome.mended else ():
            yield f"{path}: {verb}: {finding.rule.name}: {finding.repair.message if finding.repair else finding.message}"
        for withdrawn in outcome.mended.withdrawn if outcome.mended else ():
            yield f"{path}: not mended: {withdrawn.finding.rule.name}: {withdrawn.reason}"
        for finding in outcome.report.findings:
            if finding.elsewhere and finding.rule.fix and finding.rule.fix.applicability in job.ways:
                yield f"{path}: not mended: {finding.rule.name}: it is in {finding.elsewhere.path}; mend that file"
        if options.verbose:
            yield from _unjudged(outcome)


def _unjudged(outcome: Outcome) -> Iterator[str]:
    path = outcome.report.path
    if outcome.report.skipped:
        yield f"{path}: {outcome.report.skipped}"
    for what in outcome.report.undecided:
        yield f"{path}: too many ways through the code to judge {what}"
    for what in outcome.report.cut:
        yield f"{path}: not read: {what}"
    if outcome.trace:
        yield outcome.trace

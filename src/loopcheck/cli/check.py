"""`loopcheck check PATH...`: judge files, and show or mend what is found."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import click

from loopcheck import cli, config, files, packs, select
from loopcheck.finding import Problem, Report, Span
from loopcheck.rule import Confidence, Rule
from loopcheck.show.entry import ERROR, entries


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
    no_cache: bool
    verbose: bool


def _split(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> tuple[str, ...]:
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


@click.command(name="check")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--select", multiple=True, callback=_split, metavar="RULES", help="What to judge: codes, names, groups or ALL.")
@click.option("--ignore", multiple=True, callback=_split, metavar="RULES", help="What not to judge.")
@click.option("--min-confidence", type=click.Choice(config.CONFIDENCES), help="Leave out what is less sure than this.")
@click.option("--output-format", type=click.Choice(["text", "json", "github"]), default="text", show_default=True)
@click.option("--fix", is_flag=True, help="Mend what can be mended without changing anything else.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: mend what changes the result, too.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 where something is found.")
@click.option("--no-cache", is_flag=True, help="Judge every file anew.")
@click.option("-v", "--verbose", is_flag=True, help="Say what was not judged, and why.")
@click.pass_context
def command(context: click.Context, /, **options: object) -> None:
    """Find the defects of the training loops in files and folders.

    Exit code: 0 every file was judged and nothing found, 1 something found, 2 wrong use, 3 a file could not be analysed.
    """
    context.exit(run(Options(**options)))  # type: ignore[arg-type]


def run(options: Options) -> int:
    """Judge, show, and tell the exit code."""
    settings = config.load(files.common_folder(options.paths))
    paths = files.find(options.paths, settings.exclude, settings.folder)
    rules = _rules(options, settings)
    least = Confidence[options.min_confidence.upper()] if options.min_confidence else settings.min_confidence
    reports = [_at_least(least, _examine(path, rules, options.verbose)) for path in paths]
    _show(reports, options)
    return _status(reports, options.exit_zero)


def _rules(options: Options, settings: config.Settings) -> tuple[Rule, ...]:
    """What the caller selects, or else what the settings do; less what the caller ignores."""
    rules = packs.rules()
    asked = select.choose(rules, options.select or (select.ALL,), options.ignore)
    try:
        usual = select.choose(rules, settings.select, settings.ignore)
    except select.UnknownRule as error:
        raise select.UnknownRule(f"{settings.file}: {error}") from None
    return asked if options.select else tuple(rule for rule in usual if rule in asked)


def _examine(path: Path, rules: Sequence[Rule], verbose: bool) -> Report:
    """The report of one file; an error of ours in one file must not take the others' verdicts along."""
    from loopcheck.check import check_file

    try:
        return check_file(path, rules)
    except Exception as error:
        if verbose:
            click.echo(traceback.format_exc(), err=True)
        return Report(str(path), problems=(Problem("internal", cli.crash(error), Span(str(path), 1, 1, 1, 1)),))


def _at_least(least: Confidence, report: Report) -> Report:
    return replace(report, findings=tuple(finding for finding in report.findings if finding.confidence >= least))


def _status(reports: Sequence[Report], exit_zero: bool) -> int:
    severities = {entry.severity for report in reports for entry in entries(report)}
    if ERROR in severities:
        return cli.FAILED
    return cli.FOUND if severities and not exit_zero else cli.OK


def _show(reports: Sequence[Report], options: Options) -> None:
    from loopcheck.show import github, json, text

    if options.verbose:
        for line in _unjudged(reports):
            click.echo(line, err=True)
    match options.output_format:
        case "json":
            click.echo(json.show(reports))
        case "github":
            click.echo(github.show(reports), nl=any(map(entries, reports)))
        case _:
            lines = cache(files.lines)
            for block in text.show(reports, lambda span: lines(span.path)):
                click.echo(block)


def _unjudged(reports: Sequence[Report]) -> Iterator[str]:
    for report in reports:
        if report.skipped:
            yield f"{report.path}: {report.skipped}"
        for what in report.undecided:
            yield f"{report.path}: too many ways through the code to judge {what}"

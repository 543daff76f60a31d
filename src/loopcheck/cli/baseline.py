"""`loopcheck baseline`: the findings that a project lives with for now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from loopcheck import config, files, packs
from loopcheck.baseline import Baseline, told
from loopcheck.cache import Cache, edition
from loopcheck.finding import Report
from loopcheck.job import Job, cores, work
from loopcheck.printable import printable
from loopcheck.scope import Scope, Wishes

_PATHS = click.argument("paths", nargs=-1, type=click.Path(path_type=Path))


@click.group(name="baseline")
def command() -> None:
    """What `check` knows of and keeps to itself, in loopcheck-baseline.json beside the settings.

    There, and where CI is not set, a finding that is not there any more goes out of the file with the next run.
    """


@command.command()
@_PATHS
def write(paths: tuple[Path, ...]) -> None:
    """Take all that is found now in PATH... into the baseline."""
    baseline, _, reports = _judged(paths)
    baseline = baseline.holding(reports)
    baseline.save()
    click.echo(f"{told(len(baseline.known))} in the baseline.")


@command.command(name="list")
@_PATHS
def list_(paths: tuple[Path, ...]) -> None:
    """Show the baseline; rows are those of when it was written."""
    known = Baseline.load(config.load(files.common_folder(paths or (Path("."),))).home).known
    for each in known:
        click.echo(printable(f"{each.path}:{each.row}: {each.code} {each.name}: {each.message}"))
    click.echo(f"{told(len(known))} in the baseline.")


@command.command()
@_PATHS
def prune(paths: tuple[Path, ...]) -> None:
    """Take out of the baseline what is not found in PATH... any more."""
    baseline, scope, reports = _judged(paths)
    pruned = baseline.pruned(reports, scope.omits)
    pruned.save()
    click.echo(f"{told(len(baseline.known) - len(pruned.known))} gone, {len(pruned.known)} left in the baseline.")


def _judged(paths: Sequence[Path]) -> tuple[Baseline, Scope, list[Report]]:
    """What there is, what is asked for by the project's settings, and what a check comes to."""
    asked = paths or (Path("."),)
    projects = config.Projects()
    settings = projects.of(files.common_folder(asked))
    scope = Scope(projects, Wishes())
    found = scope.files(asked)
    cache = Cache(settings.cache, edition(packs.sources(), settings.same_as))
    outcomes = work(found, Job(scope.rules(found), spared=scope.spares, same_as=settings.same_as), cache, cores())
    return Baseline.load(settings.home), scope, [outcome.report for outcome in outcomes]

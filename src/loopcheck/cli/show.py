"""`loopcheck show PATH...`: the training loops of files, as they are understood."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from loopcheck import cli, config, excerpt, files, packs
from loopcheck.scope import Scope, Wishes
from loopcheck.show.view import View

if TYPE_CHECKING:
    from loopcheck.outline import Outline, Reading
    from loopcheck.rule import Rule
    from loopcheck.show.facts import Word


@click.command(name="show")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--words", is_flag=True, help="Say in the end what the words mean.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Draw it on a page, with what is found.")
@click.pass_context
def command(context: click.Context, /, paths: tuple[Path, ...], words: bool, html: Path | None) -> None:
    """Show training loops and evaluation passes as loopcheck understands them: the objects, and the order of events.

    What is not known has a `?`; a row without a number is what a framework does by itself.
    Exit code: 0 every file was read, 2 wrong use, 3 a file could not be analysed.
    """
    from loopcheck.job import learn
    from loopcheck.outline import Reading
    from loopcheck.show import deliver
    from loopcheck.show import outline as drawing

    projects = config.Projects()
    scope, settings = Scope(projects, Wishes()), projects.of(files.common_folder(paths))
    learn(settings.same_as)
    found = scope.files(paths)
    reading = Reading(found)
    read = reading.outlines()
    if html:
        from loopcheck.show import outline_page

        view = _judged(reading, scope.rules(found), scope, settings)
        deliver.put(html, outline_page.page(read, view, packs.rules(), _summary(read, words=True)))
    told: set[Word] = set()
    for each in read:
        if each.problems:
            click.echo(_problems(each))
        if each.entries:
            drawn, facts = drawing.draw(each.path, each.entries, packs.rules())
            click.echo(drawn)
            told |= facts
    if words and told:
        click.echo(drawing.legend(told) + "\n")
    click.echo(_summary(read, words))
    context.exit(cli.FAILED if any(each.problems for each in read) else cli.OK)


def _judged(reading: Reading, rules: Sequence[Rule], scope: Scope, settings: config.Settings) -> View:
    """What is found in files that were read, as it is asked for by their projects."""
    from loopcheck.job import Job
    from loopcheck.show import deliver

    job = Job(rules, spared=scope.spares, settled=scope.settled, same_as=settings.same_as)
    return View([outcome.report for outcome in reading.outcomes(job)], deliver.lines(), excerpt.row, job.rules)


def _problems(outline: Outline) -> str:
    from loopcheck.finding import Report
    from loopcheck.show.entry import entries
    from loopcheck.show.text import block

    report = Report(outline.path, problems=outline.problems)
    return "".join(block(entry, lambda span: excerpt.lines(span.path, span.cell)) + "\n" for entry in entries(report))


def _summary(outlines: Sequence[Outline], words: bool) -> str:
    number = f"{len(outlines)} file{'s' * (len(outlines) > 1)}"
    shown = sum(bool(each.entries) for each in outlines)
    if not shown:
        return f"No training loop and no evaluation pass in {number}."
    help_ = "" if words else " What the words mean: --words."
    return f"Training loops and evaluation passes in {shown} of {number}.{help_}"

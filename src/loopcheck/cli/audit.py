"""`loopcheck audit SCRIPT [ARGUMENTS]`: run a program of one's own, and judge what it does."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from loopcheck import config, excerpt, packs
from loopcheck.finding import Report
from loopcheck.printable import printable
from loopcheck.rule import Confidence
from loopcheck.scope import Scope, Wishes
from loopcheck.show import deliver, formats
from loopcheck.show.entry import LEVELS, counts, of_finding
from loopcheck.show.view import View
from loopcheck.structs import dataclass


@dataclass(frozen=True)
class Options:
    """What the caller asks for, by the names of the command line."""

    words: tuple[str, ...]
    module: bool
    steps: int | None
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    min_confidence: str | None
    output_format: str
    output: tuple[tuple[str, Path], ...]
    no_ignores: bool
    explain_silence: bool
    html: Path | None
    fail_on: str | None
    config: tuple[str, ...]
    isolated: bool


@click.command(name="audit", context_settings={"allow_interspersed_args": False})
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="SCRIPT [ARGUMENTS]...")
@click.option("-m", "module", is_flag=True, help="SCRIPT is the name of a module, as for `python -m`.")
@click.option("--steps", type=click.IntRange(1), metavar="N", help="Record so many optimizer steps.  [default: enough to decide]")
@click.option("--select", multiple=True, metavar="RULES", help="What to judge: codes, names, groups or ALL.")
@click.option("--ignore", multiple=True, metavar="RULES", help="What not to judge.")
@click.option("--min-confidence", type=click.Choice(config.CONFIDENCES), help="Leave out what is less sure.  [default: medium]")
@click.option("--output-format", type=click.Choice(formats.names()), default="full", show_default=True)
@click.option("--output", multiple=True, callback=deliver.outputs, metavar="FORMAT:FILE", help="Write a report to a file, too.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Draw the run on a page.")
@click.option("--no-ignores", is_flag=True, help="Tell of what comments silence, too.")
@click.option("--explain-silence", is_flag=True, help="Of what the source did not tell, say why not.")
@click.option("--fail-on", type=click.Choice(LEVELS), help="Exit with 1 where the run shows this and the program ended with 0.")
@click.option("--config", multiple=True, metavar="FILE|KEY=VALUE", help="The file with the settings; or one of them.")
@click.option("--isolated", is_flag=True, help="Without any settings.")
@click.pass_context
def command(context: click.Context, /, **options: object) -> None:
    """Run a program as `python SCRIPT ARGUMENTS` would, record its first steps, and judge them by the same rules as its source.

    The program is not disturbed: what it prints, computes and ends with is its own, and the report goes to stderr. A SCRIPT that
    is no file is a command: `loopcheck audit torchrun --nproc-per-node 2 train.py`; all processes are recorded that load torch.

    Exit code: the program's; with --fail-on, 1 where that is 0 and the run shows something. 2 wrong use.
    """
    context.exit(run(Options(**options)))  # type: ignore[arg-type]


def run(options: Options) -> int:
    """Run, show, and tell the exit code."""
    from loopcheck.auditing.join import shows
    from loopcheck.auditing.launch import command as started
    from loopcheck.auditing.launch import die, launch
    from loopcheck.auditing.report import files, reports, told
    from loopcheck.show import audit_page

    file, over = config.said(options.config)
    scope = Scope(config.Projects(file, options.isolated, over), _wishes(options), packs.observed())
    rules = scope.rules([Path(options.words[0] if not options.module else ".")])
    recorded = launch(started(options.words, options.module), options.steps)
    sys.stdout.flush()
    asked = scope.rules(files(recorded.runs)) or rules
    found: list[Report] = reports(recorded.runs, scope, asked, not options.no_ignores, options.explain_silence)
    for old, new in scope.renamed.items():
        click.echo(printable(f"the rule {old!r} is called {new!r} now"), err=True)
    view = View(found, deliver.lines(), excerpt.row, rules)
    deliver.show(view, options.output_format, beside=True)
    for trouble in recorded.troubles:
        click.echo(printable(f"loopcheck failed while it recorded, and the program went on without it: {trouble}"), err=True)
    if options.output_format == "full":
        click.echo(told(recorded.runs, found), err=True)
    for name, file in options.output:
        deliver.write(view, name, file)
    if options.html:
        deliver.put(options.html, audit_page.page(view, recorded.runs, told(recorded.runs, found)))
    shown = [of_finding(finding) for report in found for finding in report.findings if shows(finding)]
    failed = options.fail_on is not None and any(counts(entry, options.fail_on) for entry in shown)
    return 1 if failed and recorded.status == 0 else die(recorded.status)


def _wishes(options: Options) -> Wishes:
    return Wishes(
        select=_split(options.select),
        ignore=_split(options.ignore),
        least=Confidence[options.min_confidence.upper()] if options.min_confidence else None,
    )


def _split(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())

"""`with loopcheck.audit():`, a part of a program that is recorded and judged from inside of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from loopcheck import config, excerpt, packs
from loopcheck.auditing.join import shows
from loopcheck.auditing.report import files, reports, told
from loopcheck.finding import Finding, Report
from loopcheck.record.run import Run
from loopcheck.record.session import Session
from loopcheck.rule import Confidence, Rule
from loopcheck.scope import Scope, Wishes
from loopcheck.show import deliver, formats
from loopcheck.show.view import View
from loopcheck.structs import dataclass, field


@dataclass
class Audit:
    """What came of an audit; nothing before its end.

    run: what was recorded. reports: what is asked for of all files that ran. rules: those that were judged.
    """

    run: Run = field(default_factory=Run)
    reports: Sequence[Report] = ()
    rules: Sequence[Rule] = ()

    @property
    def findings(self) -> list[Finding]:
        return [finding for report in self.reports for finding in report.findings]

    @property
    def bugs(self) -> list[Finding]:
        """Those that the run shows to be wrong, whatever one thinks of advice and of what it did not come to."""
        return [finding for finding in self.findings if finding.rule.group == "bug" and shows(finding)]

    def text(self, output_format: str = "full") -> str:
        """The report, in a format of `loopcheck check`."""
        view = View(self.reports, deliver.lines(), excerpt.row, self.rules)
        pieces = [*formats.load(output_format)(view), *([told([self.run], self.reports)] if output_format == "full" else [])]
        return "\n".join(map(click.unstyle, pieces))


@contextmanager
def audit(
    *,
    steps: int | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    min_confidence: str | None = None,
    quiet: bool = False,
) -> Iterator[Audit]:
    """Record what is done in this block, and when it ends judge it, by the rules and settings that hold for the files that ran.

    steps: record so many optimizer steps; without it, until every rule can be decided. quiet: print no report on stderr. The
    other options are those of the command.
    """
    done = Audit()
    caller = sys._getframe(2).f_code.co_filename
    session = Session(str(Path(caller).resolve().parent), steps, late=True)
    try:
        yield done
        session.run.whole = True
    except BaseException as error:
        session.run.raised = f"{type(error).__name__}: {error}"
        raise
    finally:
        done.run = session.end()
        least = Confidence[min_confidence.upper()] if min_confidence else None
        scope = Scope(config.Projects(), Wishes(select=select, ignore=ignore, least=least), packs.observed())
        done.rules = scope.rules(files([done.run]) or [Path(caller if os.path.isfile(caller) else ".")])
        done.reports = reports([done.run], scope, done.rules)
        if not quiet:
            click.echo(done.text(), err=True)

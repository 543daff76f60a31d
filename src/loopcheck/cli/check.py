"""`loopcheck check PATH...`: judge files, and show or mend what is found."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from pathlib import Path

import click

from loopcheck import cli, config, excerpt, files, packs
from loopcheck.baseline import FILE, Baseline, told
from loopcheck.cache import Cache, edition
from loopcheck.disk import contents
from loopcheck.finding import Report
from loopcheck.job import Job, Outcome, cores, diff, narrowed, told_once, work, work_on
from loopcheck.printable import printable
from loopcheck.rule import Confidence
from loopcheck.scope import Scope, Wishes
from loopcheck.show import deliver, formats, text
from loopcheck.show.entry import ERROR, LEVELS, Entry, counts, entries
from loopcheck.show.frame import Lines
from loopcheck.show.progress import Bar, Flow
from loopcheck.show.view import View
from loopcheck.structs import dataclass, replace
from loopcheck.suppress import objection


@dataclass(frozen=True)
class Options:
    """What the caller asks for, by the names of the command line."""

    paths: tuple[Path, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    min_confidence: str | None
    output_format: str
    output: tuple[tuple[str, Path], ...]
    no_ignores: bool
    add_ignore: str | None
    no_baseline: bool
    fix: bool
    fix_only: bool
    unsafe_fixes: bool
    show_fixes: bool
    exit_non_zero_on_fix: bool
    diff: bool
    exit_zero: bool
    exclude: tuple[str, ...]
    extend_exclude: tuple[str, ...]
    force_exclude: bool
    config: tuple[str, ...]
    isolated: bool
    show_settings: bool
    show_files: bool
    fail_on: str
    fail_on_undecided: bool
    statistics: bool
    since: str | None
    staged: bool
    stdin_filename: Path | None
    jobs: int | None
    no_cache: bool
    cache_dir: Path | None
    verbose: bool

    @property
    def writes(self) -> bool:
        """What can be mended is, and not only shown."""
        return (self.fix or self.fix_only) and not self.diff

    @property
    def format(self) -> str:
        return "statistics" if self.statistics else self.output_format


def _split(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> tuple[str, ...]:
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def _here(context: click.Context, parameter: click.Parameter, paths: tuple[Path, ...]) -> tuple[Path, ...]:
    return paths or (Path("."),)


@click.command(name="check")
@click.argument("paths", nargs=-1, default=None, type=click.Path(path_type=Path), callback=_here)
@click.option("--select", multiple=True, callback=_split, metavar="RULES", help="What to judge: codes, names, groups or ALL.")
@click.option("--ignore", multiple=True, callback=_split, metavar="RULES", help="What not to judge.")
@click.option("--min-confidence", type=click.Choice(config.CONFIDENCES), help="Leave out what is less sure.  [default: medium]")
@click.option("--output-format", type=click.Choice(formats.names()), default="full", show_default=True)
@click.option("--output", multiple=True, callback=deliver.outputs, metavar="FORMAT:FILE", help="Write a report to a file, too.")
@click.option("--add-ignore", metavar="REASON", help="Put a comment that silences it above all that is found.")
@click.option("--no-baseline", is_flag=True, help="Tell of what is in the baseline, too.")
@click.option("--no-ignores", is_flag=True, help="Tell of what comments silence, too.")
@click.option("--fix", is_flag=True, help="Mend what can be mended without changing anything else.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: mend what changes the result, too.")
@click.option("--fix-only", is_flag=True, help="Mend as --fix does, and neither tell of what is left nor fail for it.")
@click.option("--show-fixes", is_flag=True, help="With --fix: count what was mended, by file and rule.")
@click.option("--exit-non-zero-on-fix", is_flag=True, help="With --fix: exit with 1 where something was mended, too.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 where something is found.")
@click.option("--fail-on", type=click.Choice(LEVELS), default="bug", show_default=True, help="What is found that exits with 1.")
@click.option("--fail-on-undecided", is_flag=True, help="Exit with 3 where a file could not be judged in full.")
@click.option("--since", metavar="REF", help="Judge only files that differ from where this branch left REF, as git tells.")
@click.option("--staged", is_flag=True, help="Judge only files that are staged in git, as they are in the folder.")
@click.option("--stdin-filename", type=click.Path(path_type=Path), metavar="PATH", help="Where the text of `-` is from.")
@click.option(
    "--exclude",
    multiple=True,
    callback=_split,
    metavar="PATTERN",
    help="What to leave out, instead of what settings say.",
)
@click.option("--extend-exclude", multiple=True, callback=_split, metavar="PATTERN", help="What to leave out besides.")
@click.option("--force-exclude", is_flag=True, help="Leave it out even where it is named.")
@click.option("--config", multiple=True, metavar="FILE|KEY=VALUE", help="The file with the settings; or one of them.")
@click.option("--isolated", is_flag=True, help="Without any settings.")
@click.option("--show-settings", is_flag=True, help="Show the settings that hold, and judge nothing.")
@click.option("--show-files", is_flag=True, help="Show the files that would be judged, and judge nothing.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Processes that work at a time.  [default: one for each core]")
@click.option("--no-cache", is_flag=True, help="Judge every file anew, and keep nothing for the next run.")
@click.option("--cache-dir", type=click.Path(path_type=Path), help="Where to keep what the next run need not find out again.")
@click.option("--statistics", is_flag=True, help="Count what is found of each rule, and show no more of it.")
@click.option("-v", "--verbose", is_flag=True, help="Say what was not judged, and why.")
@click.pass_context
def command(context: click.Context, /, **options: object) -> None:
    """Find the defects of the training loops in files and folders, by default in this one. `-` is standard input; mended with
    --fix, it goes to standard output.

    Exit code: 0 every file was judged and no bug found, 1 a bug found, 2 wrong use, 3 a file could not be analysed,
    130 interrupted. What counts as a bug: --fail-on.
    """
    context.exit(run(Options(**options)))  # type: ignore[arg-type]


STDIN = Path("-")


@dataclass(frozen=True)
class _Done:
    """What came of the files. shown: what the reader has seen. left: files that nobody came to. lines: theirs, to show."""

    outcomes: Sequence[Outcome]
    lines: Lines
    shown: Set[Entry] = frozenset()
    left: int = 0


def run(options: Options) -> int:
    """Judge, show, and tell the exit code."""
    _refuse_what_does_not_go_together(options)
    piped = STDIN in options.paths
    paths = (options.stdin_filename or STDIN,) if piped else options.paths
    file, over = config.said(options.config)
    projects = config.Projects(file, options.isolated, over)
    settings = projects.of(files.common_folder(paths))
    if options.show_settings:
        click.echo(printable(config.told(settings), kept="\n"))
        return cli.OK
    scope = Scope(projects, _wishes(options))
    found = list(paths) if piped else _changed(scope.files(paths), options)
    if options.show_files:
        click.echo("".join(f"{printable(str(path))}\n" for path in found), nl=False)
        return cli.OK
    job = Job(
        rules=scope.rules(found or paths),
        mend=options.writes or options.diff,
        unsafe=options.unsafe_fixes,
        dry=options.diff,
        roots=paths,
        spared=scope.spares,
        settled=scope.settled,
        silent=not options.no_ignores,
        same_as=settings.same_as,
    )
    for old, new in scope.renamed.items():
        click.echo(printable(f"the rule {old!r} is called {new!r} now"), err=True)
    if found and not job.rules:
        raise click.UsageError("no rule is selected, so nothing would be judged; files that need no judging are excluded")
    baseline = Baseline(settings.home / FILE) if options.no_baseline else Baseline.load(settings.home)
    kept = options.cache_dir or settings.cache
    cache = Cache() if options.no_cache else Cache(kept, edition(packs.sources(), settings.same_as))
    done = _of_stdin(paths[0], job, cache) if piped else _of_files(found, job, cache, options, baseline)
    if options.add_ignore:
        done = replace(done, outcomes=_silenced(done.outcomes, options.add_ignore.strip(), job, baseline))
    reports = [baseline.without_known(outcome.report) for outcome in done.outcomes]
    view = View(reports, done.lines, excerpt.row, job.rules, done.shown, done.left)
    if options.verbose and cache.trouble:
        click.echo(printable(cache.trouble), err=True)
    for note in _notes(done.outcomes, job, options):
        click.echo(printable(note, kept="\n" if note.startswith("Traceback") else ""), err=True)
    if options.diff:
        _show_diff(done)
        failed = any(outcome.changed for outcome in done.outcomes)
    elif options.fix_only:
        _show_unread(done)
        failed = False
    else:
        deliver.show(view, options.format, beside=piped and options.writes)
        failed = any(counts(entry, options.fail_on) for entry in view.entries)
    if options.exit_non_zero_on_fix:
        failed = failed or any(outcome.changed for outcome in done.outcomes)
    for name, file in options.output:
        deliver.write(view, name, file)
    if piped and options.writes:
        sys.stdout.buffer.write(_after(done.outcomes[0]))
        sys.stdout.flush()
    if done.left:
        return cli.INTERRUPTED
    if not (piped or options.diff):
        failed = _shrink(baseline, baseline.pruned(reports, scope.omits)) or failed
    if any(entry.severity == ERROR for report in reports for entry in entries(report)):
        return cli.FAILED
    if options.fail_on_undecided and any(report.partial for report in reports):
        return cli.FAILED
    return cli.FOUND if failed and not options.exit_zero else cli.OK


def _changed(found: Sequence[Path], options: Options) -> list[Path]:
    """Of the files those that differ, where that is asked for."""
    if not (options.since or options.staged):
        return list(found)
    from loopcheck import changes

    folder = files.common_folder(options.paths)
    return changes.among(found, changes.since(options.since, folder) if options.since else changes.staged(folder))


def _wishes(options: Options) -> Wishes:
    return Wishes(
        select=options.select,
        ignore=options.ignore,
        least=Confidence[options.min_confidence.upper()] if options.min_confidence else None,
        exclude=options.exclude,
        extend_exclude=options.extend_exclude,
        force_exclude=options.force_exclude,
    )


def _shrink(baseline: Baseline, pruned: Baseline) -> bool:
    """Take out of the baseline what is not found any more; whether a person has to, as in CI, which keeps no files."""
    gone = len(baseline.known) - len(pruned.known)
    if not gone:
        return False
    if os.environ.get("CI"):
        click.echo(f"{baseline.file.name}: {told(gone)} not found any more: run `loopcheck baseline prune`", err=True)
        return True
    pruned.save()
    click.echo(f"{baseline.file.name}: {told(gone)} not found any more, and taken out", err=True)
    return False


def _silenced(outcomes: Sequence[Outcome], reason: str, job: Job, baseline: Baseline) -> list[Outcome]:
    """What comes of files whose findings are silenced by comments."""
    from loopcheck.write.overwrite import Refused, overwrite
    from loopcheck.write.silence import Unsilenced, silence

    def asked(report: Report) -> Report:
        return baseline.without_known(narrowed(report, job))

    silenced: list[Outcome] = []
    for outcome in outcomes:
        report = asked(outcome.report)
        if report.findings:
            try:
                before = contents(Path(report.path))
                after, report = silence(before, report, reason, job.rules, asked)
                overwrite(Path(report.path), after, before)
            except (OSError, Unsilenced, Refused) as error:
                click.echo(printable(f"{report.path}: not silenced: {error}"), err=True)
                report = outcome.report
        silenced.append(replace(outcome, report=report))
    return silenced


def _refuse_what_does_not_go_together(options: Options) -> None:
    if options.add_ignore is not None:
        if options.writes or options.diff or options.no_ignores or STDIN in options.paths:
            raise click.UsageError("--add-ignore does not go with --fix, --diff, --no-ignores or `-`")
        if wrong := objection(options.add_ignore) or ("takes one line" if "\n" in options.add_ignore else ""):
            raise click.UsageError(f"--add-ignore {wrong}: say why it is right as it is")
    if options.no_ignores and (options.writes or options.diff):
        raise click.UsageError("--no-ignores does not go with --fix or --diff: what is silenced is not mended")
    if options.unsafe_fixes and not (options.writes or options.diff):
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff")
    for name, asked in (("--show-fixes", options.show_fixes), ("--exit-non-zero-on-fix", options.exit_non_zero_on_fix)):
        if asked and not options.writes:
            raise click.UsageError(f"{name} goes with --fix or --fix-only")
    if options.stdin_filename and STDIN not in options.paths:
        raise click.UsageError("--stdin-filename goes with the path `-`")
    if options.since and options.staged:
        raise click.UsageError("--since does not go with --staged")
    if (options.since or options.staged) and STDIN in options.paths:
        raise click.UsageError("--since and --staged do not go with `-`")
    if STDIN in options.paths and len(options.paths) > 1:
        raise click.UsageError("`-` is standard input, and goes alone")


def _of_stdin(path: Path, job: Job, cache: Cache) -> _Done:
    data = sys.stdin.buffer.read()
    outcome = work_on(data, path, job, cache)
    lines = excerpt.of_text(str(path), _after(outcome))
    return _Done([outcome], lambda span: lines(span.path, span.cell))


def _after(outcome: Outcome) -> bytes:
    return outcome.mended.data if outcome.mended else outcome.before


def _of_files(paths: Sequence[Path], job: Job, cache: Cache, options: Options, baseline: Baseline) -> _Done:
    bar = Bar(len(paths), sys.stderr)
    at_once = options.format == "full" and not job.mend and not options.add_ignore and sys.stdout.isatty()
    flow = Flow(bar, deliver.lines() if at_once else None)
    known: dict[int, Outcome] = {}

    def hear(number: int, outcome: Outcome) -> None:
        known[number] = outcome
        flow.hear(number, baseline.without_known(outcome.report))

    try:
        return _Done(work(paths, job, cache, options.jobs or cores(), hear), deliver.lines(), flow.shown)
    except KeyboardInterrupt:
        outcomes = told_once([known[number] for number in sorted(known)])
        return _Done(outcomes, deliver.lines(), flow.shown, len(paths) - len(outcomes))
    finally:
        bar.erase()


def _show_diff(done: _Done) -> None:
    """The changes on stdout, as a patch; what could not be analysed beside it."""
    for outcome in done.outcomes:
        for line in diff(outcome):
            click.echo(click.style(_of_patch(line), fg=_DIFF_COLOURS.get(line[0])), nl=False)
    _show_unread(done)


def _show_unread(done: _Done) -> None:
    """What could not be analysed, beside what is on stdout."""
    for outcome in done.outcomes:
        unread = tuple(problem for problem in outcome.report.problems if not problem.remark)
        for entry in entries(replace(outcome.report, findings=(), problems=unread)):
            click.echo(text.block(entry, done.lines), err=True)


def _of_patch(line: str) -> str:
    """A line of a patch: its end as it is, for a patch has to fit, and what is before it printable."""
    text = line.rstrip("\r\n")
    return printable(text, kept="\t\f") + (line[len(text) :] if line.endswith("\n") else "\n")


_DIFF_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def _notes(outcomes: Sequence[Outcome], job: Job, options: Options) -> Iterator[str]:
    """What was mended; under --verbose also what was not judged or not mended, and why."""
    verb = "would be mended" if options.diff else "mended"
    for outcome in outcomes:
        path = outcome.report.path
        for finding in outcome.mended.applied if outcome.mended else ():
            yield f"{path}: {verb}: {finding.rule.name}: {finding.repair.message if finding.repair else finding.message}"
        if outcome.mended and outcome.mended.tidied:
            yield f"{path}: {verb}: comments that silence nothing: {outcome.mended.tidied}"
        for withdrawn in outcome.mended.withdrawn if outcome.mended else ():
            yield f"{path}: not mended: {withdrawn.finding.rule.name}: {withdrawn.reason}"
        for finding in outcome.report.findings:
            if finding.elsewhere and not finding.repair and finding.rule.fix and finding.rule.fix.applicability in job.ways:
                yield f"{path}: not mended: {finding.rule.name}: it is in {finding.elsewhere.path}; mend that file"
        if options.verbose:
            yield from _unjudged(outcome)
    if options.show_fixes:
        yield from _counted(outcomes)


def _counted(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """How much was mended, and by which rules in which files."""
    made = {outcome.report.path: outcome.mended.applied for outcome in outcomes if outcome.mended and outcome.mended.applied}
    yield f"Mended {sum(map(len, made.values()))} in {len(made)} {'file' if len(made) == 1 else 'files'}."
    for path, findings in made.items():
        for name, number in Counter(f"{finding.rule.code} {finding.rule.name}" for finding in findings).items():
            yield f"  {path}: {number} x {name}"


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

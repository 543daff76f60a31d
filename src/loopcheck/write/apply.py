"""Carry repairs out on the bytes of a file, and keep only those that judging again approves of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from loopcheck import packs
from loopcheck.check import check_source
from loopcheck.finding import Finding, Report, TextEdit
from loopcheck.fix import SAFE, UNSAFE
from loopcheck.read.library import Library
from loopcheck.read.notebook import Cell, Notebook
from loopcheck.read.text import decode, lines_of
from loopcheck.rule import Rule
from loopcheck.write.splice import spliced

MOST_ROUNDS = 20
"""Repairs that make way for others end long before; a pair that undoes each other never would."""


@dataclass(frozen=True)
class Withdrawn:
    """A repair that was not made, and why."""

    finding: Finding
    reason: str


@dataclass(frozen=True)
class Mended:
    """What a file becomes: its bytes, what a check of them says, the findings that are gone, the repairs that did not hold, and
    how many comments went that silenced nothing."""

    data: bytes
    report: Report
    applied: tuple[Finding, ...] = ()
    withdrawn: tuple[Withdrawn, ...] = ()
    tidied: int = 0


def mend(
    data: bytes,
    path: str,
    rules: Sequence[Rule],
    *,
    unsafe: bool = False,
    only: Callable[[Finding], bool] = lambda finding: True,
    settled: Callable[[Finding], Finding] = lambda finding: finding,
    library: Library | None = None,
) -> Mended:
    """Repair what can be repaired, until nothing more can be.

    unsafe: make the repairs that change the result, too. only: which findings to repair. settled: a finding with the repair that
    may be made of it. library: what was read before.
    A repair that does not parse, does not remove its finding or adds another one is withdrawn. Nothing is written.
    """
    allowed = (SAFE, UNSAFE) if unsafe else (SAFE,)
    library = library or Library()

    def judged(data: bytes, there: Library) -> Report:
        report = check_source(data, path, rules, there)
        return replace(report, findings=tuple(map(settled, report.findings)))

    others = [rule for rule in packs.rules() if rule.group == "bug" and rule not in rules]

    def unasked(data: bytes, there: Library) -> Counter[str]:
        """The bugs that nobody asked about, and that no repair may add to either."""
        return _counts(check_source(data, path, others, there)) if others else Counter()

    applied: list[Finding] = []
    withdrawn: dict[tuple[str, str], Withdrawn] = {}
    library = library.holding(path, data)
    report = judged(data, library)
    for _ in range(MOST_ROUNDS):
        chosen = _apart(
            finding
            for finding in report.findings
            if _edits(finding, path, allowed) and only(finding) and _key(finding) not in withdrawn
        )
        if not chosen:
            break
        for attempt in _attempts(chosen):
            try:
                changed = _with(data, _all_edits(attempt))
                there = library.holding(path, changed)
                after = judged(changed, there)
                _approve(report, after, attempt)
                if more := unasked(changed, there) - unasked(data, library):
                    raise Objection(f"it would add {min(more)}")
            except Objection as objection:
                if len(attempt) == 1:
                    withdrawn[_key(attempt[0])] = Withdrawn(attempt[0], str(objection))
            else:
                data, report, library = changed, after, there
                applied += attempt
                withdrawn.clear()  # what did not hold beside another bug may hold without it
                break
    tidy, after = _tidied(data, report, path, rules, library)
    return Mended(tidy, after, tuple(applied), tuple(withdrawn.values()), len(report.problems) - len(after.problems))


def mended_together(
    finding: Finding, files: Mapping[str, Mended], judged: Callable[[Mapping[str, bytes]], Mapping[str, Report]]
) -> dict[str, Mended]:
    """What files become by a repair that has a part in each of them.

    files: what they are, by their paths. judged: what a check says of all of them once they hold other bytes.
    The repair of a finding that does not hold in one of them is made in none: Raises Objection.
    """
    edits = finding.repair.edits if finding.repair else ()
    changed = {path: _with(each.data, [edit for edit in edits if edit.span.path == path]) for path, each in files.items()}
    after = judged(changed)
    home = finding.primary.path
    for path, each in files.items():
        _approve(each.report, after[path], [finding] if path == home else [])
    return {
        path: replace(each, data=changed[path], report=after[path], applied=(*each.applied, *([finding] if path == home else [])))
        for path, each in files.items()
    }


def _tidied(data: bytes, report: Report, path: str, rules: Sequence[Rule], library: Library) -> tuple[bytes, Report]:
    """The file without the comments that silence nothing, if that is all that goes."""
    edits = [edit for problem in report.problems if problem.repair for edit in problem.repair.edits]
    try:
        if not edits or edited(data, ()) != data:
            return data, report
        changed = edited(data, edits)
    except UnicodeEncodeError:
        return data, report
    after = check_source(changed, path, rules, library)
    same = _counts(after) == _counts(report) and len(after.problems) + len(edits) <= len(report.problems)
    return (changed, after) if same else (data, report)


def spared(data: bytes, report: Report, ways: Collection[str], reason: str) -> Mended:
    """A file that is not to be mended: as it is, each repair withdrawn."""
    found = [finding for finding in report.findings if _edits(finding, report.path, ways)]
    return Mended(data, report, (), tuple(Withdrawn(finding, reason) for finding in found))


def edited(data: bytes, edits: Iterable[TextEdit]) -> bytes:
    """The bytes with edits of one file that do not overlap carried out; all else is as it was, mark and encoding among it.

    Raises UnicodeEncodeError where the file's encoding cannot write what an edit puts in.
    """
    text, encoding = decode(data)
    ordered = sorted(edits, key=lambda edit: edit.span)
    if ordered and ordered[0].span.cell:
        notebook = Notebook.parse(ordered[0].span.path, text)
        cells = groupby(ordered, key=lambda edit: edit.span.cell)
        return notebook.rewritten({number: _in_cell(notebook.cells[number - 1], inside) for number, inside in cells}).encode(
            encoding
        )
    return spliced(text, ordered).encode(encoding)


def _in_cell(cell: Cell, edits: Iterable[TextEdit]) -> str:
    """A cell's text with edits, which count on a newline at its end."""
    return spliced(cell.text + cell.newline, edits).removesuffix(cell.newline)


class Objection(Exception):
    """Why a repair does not hold."""


def _edits(finding: Finding, path: str, allowed: Collection[str]) -> tuple[TextEdit, ...]:
    """The edits that may be made here; a helper in another file is mended when that file is."""
    repair = finding.repair
    here = repair is not None and repair.applicability in allowed and all(edit.span.path == path for edit in repair.edits)
    return repair.edits if repair and here else ()


def _attempts(chosen: list[Finding]) -> list[list[Finding]]:
    """All at once, and where that does not hold one by one."""
    return [chosen] if len(chosen) == 1 else [chosen, *([finding] for finding in chosen)]


def _all_edits(attempt: Iterable[Finding]) -> list[TextEdit]:
    return [edit for finding in attempt if finding.repair for edit in finding.repair.edits]


def _with(data: bytes, edits: Iterable[TextEdit]) -> bytes:
    """The bytes with these edits. Raises Objection."""
    try:
        unchanged = edited(data, ())
        changed = edited(data, edits)
    except UnicodeEncodeError as error:
        raise Objection(f"the file's encoding, {error.encoding}, cannot write it") from None
    if unchanged != data:
        raise Objection("the file's encoding does not give the same bytes back")
    return changed


def _approve(before: Report, after: Report, attempt: Sequence[Finding]) -> None:
    """Raises Objection where the report is not what it was less what these repairs were for."""
    known = {problem.code for problem in before.problems}
    if unread := [problem for problem in after.problems if not problem.remark and problem.code not in known]:
        raise Objection(f"the result cannot be read: {unread[0].message}")
    if len(after.undecided) > len(before.undecided):
        raise Objection("the result has too many ways through it to be judged")
    counts, found = _counts(before), _counts(after)
    if more := [finding for finding in after.findings if found[finding.rule.code] > counts[finding.rule.code]]:
        raise Objection(f"it would add {more[0].rule.name}: {more[0].message}")
    for code, n in Counter(finding.rule.code for finding in attempt).items():
        same = [finding for finding in after.findings if finding.rule.code == code]
        if found[code] > counts[code] - n and any(_is_left(finding, attempt) for finding in same):
            raise Objection("the finding would still be there")


def _is_left(finding: Finding, attempt: Sequence[Finding]) -> bool:
    """Whether a finding is what repairs were for, and not one that another stood for until now: that is in a row which none of
    them changed, and not where one of theirs was."""
    cell, row = finding.primary.cell, finding.primary.row
    edits = [edit for edit in _all_edits(attempt) if (edit.span.path, edit.span.cell) == (finding.primary.path, cell)]
    was = _row_before(row, sorted(edits, key=lambda edit: edit.span))
    return was is None or any((each.primary.cell, each.primary.row) == (cell, was) for each in attempt)


def _row_before(row: int, edits: Iterable[TextEdit]) -> int | None:
    """Where a row was before the edits; None where one of them changed it."""
    shift = 0
    for edit in edits:
        span, more = edit.span, len(lines_of(edit.content + ".")) - 1
        first = span.row + shift
        whole = span.column == span.end_column == 1 and (not edit.content or edit.content.endswith(("\n", "\r")))
        if row < first:
            break
        if row < first + more or (row == first + more and not whole):
            return None
        shift += more - (span.end_row - span.row)
    return row - shift


def _key(finding: Finding) -> tuple[str, str]:
    """A finding, whatever row it has moved to."""
    return finding.rule.code, finding.message


def _apart(findings: Iterable[Finding]) -> list[Finding]:
    """Those whose repairs do not touch each other, the first ones first."""
    chosen: list[Finding] = []
    taken: list[tuple[tuple[int, int], tuple[int, int]]] = []
    for finding in findings:
        spans = [edit.span for edit in finding.repair.edits] if finding.repair else []
        rows = [((span.cell, span.row), (span.cell, span.end_row)) for span in spans]
        if not any(first <= end and start <= last for first, last in rows for start, end in taken):
            chosen.append(finding)
            taken += rows
    return chosen


def _counts(report: Report) -> Counter[str]:
    return Counter(finding.rule.code for finding in report.findings)

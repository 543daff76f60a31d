"""What is found, in the protocol's words: diagnostics, actions that mend or silence, and pages to hover over."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from lsprotocol import types

from loopcheck import packs
from loopcheck.desk import Desk
from loopcheck.finding import Finding, Repair, Report, TextEdit
from loopcheck.fix import SAFE, UNSAFE
from loopcheck.lsp.texts import Places, Text
from loopcheck.rule import Rule
from loopcheck.show import page
from loopcheck.show.entry import Entry, entries, of_finding
from loopcheck.suppress import MARK

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.loopcheck"
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


def diagnostics(report: Report, text: Text, places: Places) -> dict[str, list[types.Diagnostic]]:
    """All that a report says, by the documents of the text; none of it in a document is told as well."""
    found: dict[str, list[types.Diagnostic]] = {uri: [] for uri in text.uris}
    for entry in entries(report):
        found[text.uri(entry.primary)].append(_diagnostic(entry, places))
    return found


def _diagnostic(entry: Entry, places: Places) -> types.Diagnostic:
    told = [
        entry.message,
        entry.away,
        entry.title,
        f"confidence: {entry.confidence}, for {entry.because}" if entry.because else "",
    ]
    return types.Diagnostic(
        range=places.range(entry.primary),
        message="\n".join(filter(None, told)),
        severity=_SEVERITIES[entry.level],
        code=f"{entry.code} {entry.name}",
        source="loopcheck",
        tags=[types.DiagnosticTag.Unnecessary] if entry.name == "unused-suppression" else None,
        related_information=[types.DiagnosticRelatedInformation(places.location(note.span), note.text) for note in entry.related],
    )


def actions(
    report: Report, text: Text, places: Places, desk: Desk, document: str, asked: types.Range, only: Sequence[str] | None
) -> Iterator[types.CodeAction]:
    """What can be done about what is found at a place of a document. only: kinds of action, all where none are named."""
    if _wanted(types.CodeActionKind.QuickFix.value, only):
        here = [
            finding
            for finding in report.findings
            if text.uri(finding.primary) == document and overlap(places.range(finding.primary), asked)
        ]
        for applicability in (SAFE, UNSAFE):
            for finding in here:
                repair = finding.repair
                if repair and repair.applicability == applicability and desk.mends(text.path, finding):
                    yield _mending(finding, repair, places)
        for problem in report.problems:
            at = problem.span
            if problem.repair and text.uri(at) == document and overlap(places.range(at), asked):
                yield types.CodeAction(
                    f"loopcheck: {problem.repair.message}",
                    types.CodeActionKind.QuickFix,
                    is_preferred=True,
                    edit=_edit(problem.repair.edits, places),
                )
        for finding in here:
            yield types.CodeAction(
                f"loopcheck: ignore {finding.rule.name} here, and say why",
                types.CodeActionKind.QuickFix,
                [_diagnostic(of_finding(finding), places)],
                is_preferred=False,
                edit=_edit([desk.silencing(text.path, finding)], places),
            )
    if only and _wanted(FIX_ALL, only) and (edits := desk.mended(text.path)):
        yield types.CodeAction("loopcheck: make all safe fixes", FIX_ALL, edit=_edit(edits, places))


def _mending(finding: Finding, repair: Repair, places: Places) -> types.CodeAction:
    safe = repair.applicability == SAFE
    return types.CodeAction(
        f"loopcheck: {repair.message}" + ("" if safe else " (changes the result of training)"),
        types.CodeActionKind.QuickFix,
        [_diagnostic(of_finding(finding), places)],
        is_preferred=safe,
        edit=_edit(repair.edits, places),
    )


def _wanted(kind: str, only: Sequence[str] | None) -> bool:
    return only is None or any(kind == each or kind.startswith(f"{each}.") for each in only)


def _edit(edits: Iterable[TextEdit], places: Places) -> types.WorkspaceEdit:
    changes: dict[str, list[types.TextEdit]] = defaultdict(list)
    for edit in edits:
        at = places.location(edit.span)
        changes[at.uri].append(types.TextEdit(at.range, edit.content))
    return types.WorkspaceEdit(changes=changes)


def hover(report: Report, text: Text, places: Places, document: str, at: types.Position) -> types.Hover | None:
    """The page of the rule whose finding is there, or that a comment there names; None where there is none."""
    here = types.Range(at, at)
    rules = [
        finding.rule
        for finding in report.findings
        if text.uri(finding.primary) == document and overlap(places.range(finding.primary), here)
    ]
    rules += _named(text.texts[text.uris.index(document)], at.line)
    pages = [page.markdown(rule) for rule in dict.fromkeys(rules)]
    if not pages:
        return None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(pages)))


def _named(text: str, line: int) -> list[Rule]:
    """The rules that a comment on a line names."""
    lines = text.splitlines()
    comment = lines[line].partition(MARK)[2] if line < len(lines) else ""
    words = set(re.findall(r"[\w-]+", comment.partition("--")[0]))
    return [rule for rule in packs.rules() if words.intersection(rule.spellings)]


def overlap(one: types.Range, other: types.Range) -> bool:
    """Whether two ranges share a place, if only where the one ends and the other begins."""
    return one.start <= other.end and other.start <= one.end

"""From a rule's fix and a witness to the edits of a repair."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import libcst as cst

from loopcheck.finding import Repair, TextEdit
from loopcheck.fix import (
    DISPLAY,
    UNSAFE,
    Cover,
    Deactivate,
    Divide,
    Edit,
    Ensure,
    Enter,
    Guard,
    Insert,
    Lift,
    Load,
    Move,
    Remove,
    Replace,
    Store,
    Undivide,
    Wrap,
    weakest,
)
from loopcheck.read.front.source import Site, Source
from loopcheck.read.text import SourceError
from loopcheck.rule import Rule, Witness
from loopcheck.write.activation import plan_deactivate
from loopcheck.write.checkpoint import plan_load, plan_store
from loopcheck.write.cover import plan_cover
from loopcheck.write.edits import Change
from loopcheck.write.enter import plan_enter
from loopcheck.write.expressions import plan_divide, plan_remove, plan_replace
from loopcheck.write.fit import fitted
from loopcheck.write.hand import Importers, handed_in
from loopcheck.write.insert import plan_ensure, plan_insert
from loopcheck.write.lift import plan_lift
from loopcheck.write.move import plan_move
from loopcheck.write.splice import spliced
from loopcheck.write.statements import NoPlan, faithful, function_of, likeliest
from loopcheck.write.undivide import plan_undivide
from loopcheck.write.wrap import plan_guard, plan_wrap


@dataclass(frozen=True)
class Project:
    """What a repair asks of the project. width: how long a line of a file may be, if somebody says so. importers: the files that
    import a file and mention a name of it. says: whether a fact holds of the program that a file begins."""

    width: Callable[[str], int | None] = lambda path: None
    importers: Importers = lambda file, name: ()
    says: Callable[[str, Path], bool] = lambda fact, file: False


ALONE = Project()


def plan(rule: Rule, witness: Witness, project: Project = ALONE) -> Repair:
    """The repair of a finding.

    The applicability is the rule's, lowered by what the source around the place says. Of alternatives the first is
    taken that can be written, or else the first that can be shown.
    Raises NoPlan, with the reason, where the rule has no fix, or it cannot be addressed in this source.
    """
    if rule.fix is None:
        raise NoPlan(rule.by_hand or "only its author knows what was meant")
    shown: Repair | None = None
    reasons: list[NoPlan] = []
    for option in (rule.fix, *rule.fix.otherwise):
        try:
            repair = _repair(option, rule, witness, project)
        except NoPlan as reason:
            reasons.append(reason)
            continue
        except (
            SourceError,
            cst.ParserSyntaxError,
            RecursionError,
        ):  # a name may be spelled in a way that makes no code of a text
            continue
        if repair.applicability != DISPLAY:
            return repair
        shown = shown or repair
    if shown is None:
        raise likeliest([*reasons, NoPlan(rule.by_hand or "it is written in a way of its own")])
    return shown


def _repair(fix: Edit, rule: Rule, witness: Witness, project: Project) -> Repair:
    sources = {source.path: source for event in witness.events if isinstance(event.at, Site) for source in event.at.sources}
    if any(source.notebook and source.notebook.shifted for source in sources.values()):
        raise NoPlan("all of some cell of the notebook is indented")
    if fix.known and not any(map(fix.known.certain, witness.events)):
        raise NoPlan("more would have to be known of the place")
    changes = [_change(each, witness) for each in (fix, *fix.also)]
    applicabilities = [fix.applicability, *(change.applicability for change in changes)]
    if isinstance(fix, Wrap) and _takes_gradients(witness, project):
        applicabilities.append(UNSAFE)
    message = ", and ".join(change.message for change in changes if change.message)
    edits = [edit for change in changes for edit in change.edits]
    handed, names, unknown = _handed_in(changes, witness, project.importers)
    if unknown:
        applicabilities.append(DISPLAY)
        message += f", where `{unknown}` has no value"
    elif handed:
        applicabilities.append(UNSAFE)
        message += f", and hand `{'`, `'.join(sorted(names))}` to it"
    for change in changes:
        sources.update({change.at.source.path: change.at.source} if change.at else {})
    files = [_ordered(each) for each in _by_file([*edits, *handed])]
    if not files:
        raise NoPlan("nothing is left to change")
    texts = ((sources[each[0].span.path].text, each) for each in files)
    if all(spliced(text, each) == text for text, each in texts):
        raise NoPlan("it would be put where it stands")
    for each in files:
        _check(sources[each[0].span.path], each)
    return Repair(
        weakest(*applicabilities),
        message,
        tuple(
            replace(edit, span=source.place(edit.span))
            for each in files
            for source in [sources[each[0].span.path]]
            for edit in fitted(source, each, project.width)
        ),
    )


def _takes_gradients(witness: Witness, project: Project) -> bool:
    """Whether gradients are taken in a program of the witness: by another way through the pass, or a network of another kind."""
    files = {event.at.source.file for event in witness.events if isinstance(event.at, Site)}
    return any(file and project.says("takes gradients", file) for file in files)


def _by_file(edits: Iterable[TextEdit]) -> list[list[TextEdit]]:
    """The edits of each file, in the order in which files come."""
    files: dict[str, list[TextEdit]] = {}
    for edit in edits:
        files.setdefault(edit.span.path, []).append(edit)
    return [*files.values()]


def _check(source: Source, edits: Sequence[TextEdit]) -> None:
    """Raises NoPlan where a file is one that edits would spoil."""
    if source.notebook and source.notebook.shifted:
        raise NoPlan("all of some cell of the notebook is indented")
    top = min(edit.span.row for edit in edits)
    if not faithful(source) or (top == 1 and source.text.startswith("\f")):
        raise NoPlan("the file has line ends that an edit would not keep")


def _handed_in(changes: Sequence[Change], witness: Witness, importers: Importers) -> tuple[list[TextEdit], set[str], str]:
    """The edits that hand in what places lack, each once, and the names; and a name that cannot be, if there is one."""
    brought: dict[object, set[str]] = {}
    for change in changes:
        brought.setdefault(_home(change), set()).update(change.brings)
    edits: list[TextEdit] = []
    names: set[str] = set()
    for change in changes:
        lacking = change.needs - brought[_home(change)] - brought.get(None, set())
        if not lacking or change.at is None:
            continue
        try:
            new = [*handed_in(witness, change.at, lacking, brought, importers)]
        except NoPlan:
            return [], set(), min(lacking)
        edits += [edit for edit in new if edit not in edits]
        names |= lacking
    return edits, names, ""


def _home(change: Change) -> object:
    """The function whose variables a change speaks of; None of the module."""
    return function_of(change.at.source, change.at.node) if change.at else None


def _change(fix: Edit, witness: Witness) -> Change:
    match fix:
        case Move():
            return plan_move(fix, witness)
        case Ensure():
            return plan_ensure(fix, witness)
        case Insert():
            return plan_insert(fix, witness)
        case Deactivate():
            return plan_deactivate(fix, witness)
        case Divide():
            return plan_divide(fix, witness)
        case Undivide():
            return plan_undivide(fix, witness)
        case Enter():
            return plan_enter(fix, witness)
        case Cover():
            return plan_cover(fix, witness)
        case Lift():
            return plan_lift(fix, witness)
        case Store():
            return plan_store(fix, witness)
        case Load():
            return plan_load(fix, witness)
        case Wrap():
            return plan_wrap(fix, witness)
        case Guard():
            return plan_guard(fix, witness)
        case Replace():
            return plan_replace(fix, witness)
        case Remove():
            return plan_remove(fix, witness)
        case _:
            raise TypeError(f"{type(fix).__name__} is no fix verb")


def _ordered(edits: Iterable[TextEdit]) -> tuple[TextEdit, ...]:
    """In the order of the text, insertions at one point as one. Raises NoPlan where two edits overlap."""
    ordered: list[TextEdit] = []
    for edit in sorted(edits, key=lambda edit: (edit.span.row, edit.span.column, edit.span.end_row, edit.span.end_column)):
        last = ordered[-1] if ordered else None
        if last and last.span == edit.span and _empty(edit):
            if last.content != edit.content:
                ordered[-1] = TextEdit(last.span, last.content + edit.content)
        elif last and (last.span.end_row, last.span.end_column) > (edit.span.row, edit.span.column):
            raise NoPlan("its parts overlap")
        else:
            ordered.append(edit)
    return tuple(ordered)


def _empty(edit: TextEdit) -> bool:
    return (edit.span.row, edit.span.column) == (edit.span.end_row, edit.span.end_column)

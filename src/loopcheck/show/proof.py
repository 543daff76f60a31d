"""A proof as a person reads it: what theory says of each quantity, what was measured, and whether they agree."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from loopcheck.measured import Measured, Row

if TYPE_CHECKING:  # torch is for those who prove, not for those who read of it
    from loopcheck.prove import Proof
    from loopcheck.proving import Shown

_OF_ALL = ("rule", "claim", "bad: theory", "measured", "good: theory", "measured", "device")
_HEAD = ("quantity", "bad: theory", "measured", "good: theory", "measured", "within", "")


def show(proof: Proof) -> str:
    """A headline, one line for each claim, and whether the repaired script is the good one."""
    headline = f"{proof.rule.code} {proof.rule.name} on {proof.device}: {_outcome(proof)}"
    return "\n".join([headline, *table(proof.rows), *_repair(proof.repaired)])


def kept(measured: Measured) -> str:
    """What was measured of a rule where it was made, as a terminal shows it."""
    return "\n".join([f"Measured on {measured.where}:", "", *table(measured.rows), *_repair(measured.repaired)])


def kept_as_markdown(measured: Measured) -> str:
    """The same, as a table of Markdown."""
    rows = [_HEAD, ("---",) * len(_HEAD), *map(_cells, measured.rows)]
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([f"Measured on {measured.where}:", "", *lines, "", *(line.strip() for line in _repair(measured.repaired))])


def verdicts_of(every: Sequence[Shown]) -> tuple[str, ...]:
    """The names of the verdicts that were asked for."""
    return tuple(dict.fromkeys(name for each in every for name in each.verdicts))


def summary(every: Sequence[Shown]) -> list[str]:
    """All that was shown in one table: a line for each claim, and the verdicts on its rule."""
    good = sum(each.holds for each in every)
    return [*_aligned([*_table(every)]), "", f"{good} of {len(every)} rules hold."]


def as_markdown(every: Sequence[Shown]) -> str:
    """The same, as a table of Markdown."""
    head, *told = _table(every)
    rows = [head, ("---",) * len(head), *told]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)


def as_json(every: Sequence[Shown]) -> str:
    """The same, as one JSON list: each rule with its claims, its verdicts, and the quantity that its scripts part in."""
    return json.dumps([_item(each) for each in every], indent=2)


def _item(each: Shown) -> dict[str, Any]:
    proof = each.proof
    return {
        "code": proof.rule.code,
        "name": proof.rule.name,
        "device": proof.device,
        "machine": each.kept and each.kept.machine,
        "torch": each.kept and each.kept.torch,
        "skipped": proof.skipped,
        "holds": each.holds,
        "repaired": proof.repaired,
        "tells": proof.tells,
        "claims": [asdict(row) for row in proof.rows],
        "verdicts": dict(each.verdicts),
        "curve": asdict(proof.curve) if proof.curve else None,
        "complaints": list(each.complaints),
    }


def _table(every: Sequence[Shown]) -> Iterator[tuple[str, ...]]:
    names = verdicts_of(every)
    yield *_OF_ALL, *names
    for each in every:
        yield from _rows(each, names)


def _rows(each: Shown, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """A row for each claim; the first has the rule's name and the verdicts on it."""
    proof = each.proof
    name, verdicts = f"{proof.rule.code} {proof.rule.name}", tuple(each.verdicts.get(verdict, "") for verdict in names)
    if not proof.rows:
        yield name, _outcome(proof), "", "", "", "", proof.device, *verdicts
    for row in proof.rows:
        told = (row.quantity, row.bad_theory, row.bad_measured, row.good_theory, row.good_measured, row.device)
        yield name, *told, *verdicts
        name, verdicts = "", ("",) * len(names)


def _outcome(proof: Proof) -> str:
    if proof.skipped:
        return f"skipped, {proof.skipped}"
    return "holds" if proof.holds else "FAILS"


def _cells(row: Row) -> tuple[str, ...]:
    verdict = "holds" if row.holds else "FAILS"
    return (row.quantity, row.bad_theory, row.bad_measured, row.good_theory, row.good_measured, f"{row.within:g}", verdict)


def table(rows: Sequence[Row]) -> list[str]:
    """One line for each claim, under a head; nothing where there is none."""
    if not rows:
        return []
    return ["  " + line for line in _aligned([_HEAD, *map(_cells, rows)])]


def _aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]


def _repair(repaired: bool | None) -> list[str]:
    if repaired is None:
        return []
    same = "the same numbers as the good one, bit for bit" if repaired else "OTHER numbers than the good one"
    return [f"  The bad script, repaired, gives {same}."]

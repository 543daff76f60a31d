"""A proof as a person reads it: what theory says of each quantity, what was measured, and whether they agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from loopcheck.measured import Measured, Row

if TYPE_CHECKING:  # torch is for those who prove, not for those who read of it
    from loopcheck.prove import Proof

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
    lines = [_HEAD, *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  " + "  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]


def _repair(repaired: bool | None) -> list[str]:
    if repaired is None:
        return []
    same = "the same numbers as the good one, bit for bit" if repaired else "OTHER numbers than the good one"
    return [f"  The bad script, repaired, gives {same}."]

"""A proof as a person reads it: what theory says of each quantity, what was measured, and whether they agree."""

from __future__ import annotations

from loopcheck.prove import Proof, Row

_HEAD = ("quantity", "bad: theory", "measured", "good: theory", "measured", "within", "")


def show(proof: Proof) -> str:
    """A headline, one line for each claim, and whether the repaired script is the good one."""
    headline = f"{proof.rule.code} {proof.rule.name} on {proof.device}: {_outcome(proof)}"
    return "\n".join([headline, *_table([_HEAD, *map(_cells, proof.rows)]), *_repair(proof)])


def _outcome(proof: Proof) -> str:
    if proof.skipped:
        return f"skipped, {proof.skipped}"
    return "holds" if proof.holds else "FAILS"


def _cells(row: Row) -> tuple[str, ...]:
    verdict = "holds" if row.holds else "FAILS"
    return (row.quantity, row.bad_theory, row.bad_measured, row.good_theory, row.good_measured, f"{row.within:g}", verdict)


def _table(lines: list[tuple[str, ...]]) -> list[str]:
    if len(lines) == 1:
        return []
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  " + "  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]


def _repair(proof: Proof) -> list[str]:
    if proof.repaired is None:
        return []
    same = "the same numbers as the good one, bit for bit" if proof.repaired else "OTHER numbers than the good one"
    return [f"  The bad script, repaired, gives {same}."]

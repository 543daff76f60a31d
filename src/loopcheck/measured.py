"""What a rule's proof has measured, kept beside the rule: a reader is told the numbers where torch is not installed."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

FILE = "proof.json"
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")
LAST_DIGITS = 1e-3
"""By so much of itself a number may differ from one machine to another, which adds up in another order."""
OF_A_BOUND = 0.1
"""And by so much where the theory is only a bound: what a training comes to depends on the last digits of its first steps."""
ROUNDING = 1e-4
"""What is to be less than this, or at most as much, is what is left by rounding: no number in particular."""


@dataclass(frozen=True)
class Row:
    """One claim on one device. Theory is a text such as `<= 1`; `within` its tolerance, the larger of the two."""

    quantity: str
    device: str
    bad_theory: str
    bad_measured: str
    good_theory: str
    good_measured: str
    within: float
    holds: bool


SILENT, WARNS, RAISES = "silent", "warns", "raises"


@dataclass(frozen=True)
class Measured:
    """What came of proving a rule on a device. machine: what that was. repaired, tells: as of a proof."""

    device: str
    machine: str
    torch: str
    rows: tuple[Row, ...]
    repaired: bool | None = None
    tells: str = SILENT

    @property
    def where(self) -> str:
        """The device as a reader is told of it."""
        return f"{self.device} ({self.machine}, torch {self.torch})"


def load(folder: Path) -> dict[str, Measured]:
    """What is kept beside a rule, by device; nothing where nothing is."""
    file = folder / FILE
    if not file.is_file():
        return {}
    kept = json.loads(file.read_text(encoding="utf-8"))
    return {device: _measured(device, **told) for device, told in kept.items()}


def save(folder: Path, measured: Measured) -> None:
    """Keep what was measured beside a rule, in the place of what was kept of this device."""
    kept = load(folder) | {measured.device: measured}
    file = folder / FILE
    file.write_text(json.dumps({device: _plain(kept[device]) for device in sorted(kept)}, indent=2) + "\n", encoding="utf-8")


def off(kept: Measured, now: Measured) -> Iterator[str]:
    """What is measured now that is not what is kept, in words."""
    if [row.quantity for row in kept.rows] != [row.quantity for row in now.rows]:
        yield "other quantities are kept than are measured"
        return
    for old, new in zip(kept.rows, now.rows, strict=True):
        for script in ("bad", "good"):
            theory = getattr(new, f"{script}_theory")
            for what, room in (("theory", (LAST_DIGITS, 0.0)), ("measured", _room(theory))):
                before, after = getattr(old, f"{script}_{what}"), getattr(new, f"{script}_{what}")
                if not _alike(before, after, room[0], max(room[1], new.within)):
                    yield f"{new.quantity}: {script}: {what} is `{after}`, and `{before}` is kept"
    if kept.repaired != now.repaired:
        yield "the repaired script's numbers are kept otherwise"
    if kept.tells != now.tells:
        yield f"a run of the bad script: `{now.tells}`, and `{kept.tells}` is kept"


def _room(theory: str) -> tuple[float, float]:
    """By how much what is measured may differ between machines under a theory: of itself, and in all."""
    sign, _, value = theory.partition(" ")
    if sign not in ("<", "<=", ">", ">="):
        return LAST_DIGITS, 0.0
    limit = float(value) if _NUMBER.fullmatch(value) else math.inf
    return OF_A_BOUND, limit if sign in ("<", "<=") and limit <= ROUNDING else 0.0


def _alike(one: str, other: str, of_itself: float, in_all: float) -> bool:
    """Whether two texts say the same but for so much in their numbers."""
    if _NUMBER.sub("", one) != _NUMBER.sub("", other):
        return False
    pairs = zip(_NUMBER.findall(one), _NUMBER.findall(other), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=of_itself, abs_tol=in_all) for a, b in pairs)


def _plain(measured: Measured) -> dict[str, object]:
    rows = [{key: value for key, value in asdict(row).items() if key != "device"} for row in measured.rows]
    of_all = {"machine": measured.machine, "torch": measured.torch, "tells": measured.tells}
    return {**of_all, "rows": rows, "repaired": measured.repaired}


def _measured(device: str, rows: list[dict[str, Any]], **of_all: Any) -> Measured:
    return Measured(device=device, rows=tuple(Row(device=device, **row) for row in rows), **of_all)

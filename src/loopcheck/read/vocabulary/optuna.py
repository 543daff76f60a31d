"""Optuna: numbers that are searched for. Somebody who wants to know one takes that which is in the middle."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from loopcheck.read.domain.values import Const, Symbol, Value
from loopcheck.read.vocabulary import Call, Row, worth


def suggested(call: Call) -> Value:
    """`trial.suggest_float(name, low, high, log=True)`: another number in each trial."""
    low, high = worth(call.get(1, "low")), worth(call.get(2, "high"))
    number = call.unknown("suggested")
    if not isinstance(number, Symbol) or not isinstance(low, (int, float)) or not isinstance(high, (int, float)):
        return number
    logarithmic = worth(call.get(99, "log"), False) is True or call.name.endswith("loguniform")
    return replace(number, default=Const(math.sqrt(low * high) if logarithmic and low > 0 else (low + high) / 2))


NAMED: Mapping[str, str] = {"trial": "trial"}
METHODS: Mapping[tuple[str, str], Row] = {
    ("trial", f"suggest_{name}"): suggested for name in ("float", "uniform", "loguniform", "discrete_uniform")
}

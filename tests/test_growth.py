"""The cost of judging grows as what is judged does: twice as much of it takes at most twice as long, and some slack."""

from __future__ import annotations

import pytest
from benchmark import HEAD, LARGEST, SLACK, Growth, Tree, doublings, growth, of_500_lines, scripts

PATIENCE = 6
"""So many times both sizes are measured before a cost is believed: others use the machine, too."""


@pytest.mark.parametrize(("subject", "n"), [("files", 8), ("functions", 8), ("options", 6)])
def test_twice_as_much_costs_twice_as_much(subject: str, n: int) -> None:
    best = {n: float("inf"), 2 * n: float("inf")}
    for _ in range(PATIENCE):
        now = growth(subject, list(best), 1).seconds
        best = {size: min(best[size], now[size]) for size in best}
        if Growth(subject, best).worst <= 1 + SLACK:
            return
    assert Growth(subject, best).worst <= 1 + SLACK, best


def test_what_is_measured() -> None:
    assert Growth("files", {4: 1.0, 8: 2.0, 16: 4.8}).worst == pytest.approx(1.2)
    assert Tree("timm", 315, 0.5, 2.9).ratio == pytest.approx(5.0)
    assert doublings(160) == [5, 10, 20, 40, 80, 160]
    assert [doublings(largest)[-1] for largest in LARGEST.values()] == [160, 64, 12]


def test_the_subjects_are_what_they_are_called() -> None:
    assert len(scripts("files", 7)) == 7
    (functions,), (options,) = scripts("functions", 7), scripts("options", 7)
    assert functions.count("def fit") == 7
    assert options.count("if args.") == 14
    assert functions.startswith(HEAD)
    assert 490 <= of_500_lines().count("\n") <= 505

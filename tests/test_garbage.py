"""When garbage is collected."""

from __future__ import annotations

import gc

from loopcheck import garbage


def test_work_does_not_end_in_a_collection() -> None:
    collected: list[str] = []

    def note(phase: str, info: dict[str, int]) -> None:
        collected.append(phase)

    gc.callbacks.append(note)
    try:
        with garbage.later():
            assert not gc.isenabled()
            made: list[list[int]] = [[] for _ in range(10_000)]
        made += [[] for _ in range(10)]
        assert collected == []
        assert gc.isenabled()
    finally:
        gc.callbacks.remove(note)

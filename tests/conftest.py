"""What tests share: every script is run once in a session, whoever asks for its run; what each says is looked at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from textwrap import dedent

import pytest

from loopcheck.read import glance
from loopcheck.record import Run
from loopcheck.testing import Runs

glance.said = cache(glance.said)
"""Whoever judges a script of this repository asks all of its files who imports it: half of what a lint of one takes."""


@pytest.fixture(scope="session")
def runs() -> Iterator[Runs]:
    """Recorded runs by script."""
    with Runs() as opened:
        yield opened


@pytest.fixture(scope="session")
def play(runs: Runs, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    """Record a script given by its text; the same text is run once. `torch`, `nn` and `data` are imported for it."""
    folder = tmp_path_factory.mktemp("scripts")
    known: dict[str, Path] = {}

    def play(text: str) -> Run:
        if text not in known:
            known[text] = folder / f"script{len(known)}.py"
            known[text].write_text(IMPORTS + dedent(text), encoding="utf-8")
        return runs.of(known[text])

    return play


IMPORTS = "import torch; from torch import nn; from torch.utils import data; torch.manual_seed(0)\n"

"""The fixture `loopcheck_audit`: what a test trains is recorded, and the test fails where that has a bug."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from loopcheck.within import Audit


@pytest.fixture
def loopcheck_audit() -> Iterator[Audit]:
    """An audit of the test, from here to its end. What it has found is known when the test is over."""
    from loopcheck.within import audit

    with audit(quiet=True) as done:
        yield done
    if done.bugs:
        pytest.fail(done.text(), pytrace=False)

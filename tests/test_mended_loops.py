"""Programs of the grammar in `loops`, mended by safe fixes and run."""

from __future__ import annotations

import loops
import pytest


@pytest.mark.parametrize(("most", "many"), [(1, 40), (3, 40)])
def test_mended_programs_run_as_meant(most: int, many: int) -> None:
    loops.held(many, most)()

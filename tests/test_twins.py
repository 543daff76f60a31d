"""Twins: what a bad script should have been, by hand, for what safe fixes make of it to be run against."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from loopcheck import examples, packs, testing

TWINS = """\
--- bad_one.py
 for i in range(2):
-    print(i)
+    print(2 * i)
@@
-last = 0

-print(last)
--- bad_two.py
-print(last)
+print("two")
"""
SCRIPT = b"for i in range(2):\n    print(i)\nlast = 0  # bug\n\nprint(last)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "twins.txt").write_text(TWINS, encoding="utf-8")
    for name in ("bad_one.py", "bad_two.py", "bad_three.py"):
        (tmp_path / name).write_bytes(SCRIPT)
    (tmp_path / "good_three.py").write_bytes(b"pass\n")
    return tmp_path


def test_a_twin_is_what_a_hand_changes_or_the_good_script_of_the_name(folder: Path) -> None:
    assert examples.twin(folder / "bad_one.py") == b"for i in range(2):\n    print(2 * i)\n\n"
    assert examples.twin(folder / "bad_two.py") == b'for i in range(2):\n    print(i)\nlast = 0\n\nprint("two")\n'
    assert examples.twin(folder / "bad_three.py") == b"pass\n"
    assert examples.twin(folder / "bad_four.py") is None


@pytest.mark.parametrize("script", [b"print(i)\n", SCRIPT + SCRIPT])
def test_a_hunk_fits_one_place(folder: Path, script: bytes) -> None:
    (folder / "bad_one.py").write_bytes(script)
    with pytest.raises(ValueError, match="does not fit one place"):
        examples.twin(folder / "bad_one.py")


def test_nothing_is_mended_without_a_twin(tmp_path: Path) -> None:
    [rule] = [rule for rule in packs.rules() if rule.name == "clip-before-backward"]
    for name in ("__init__.py", "bad.py", "good.py"):
        shutil.copy(rule.folder / name, tmp_path)
    shutil.copy(rule.folder / "bad.py", tmp_path / "bad_again.py")
    with testing.Runs() as runs, pytest.raises(AssertionError, match=r"bad_again\.py: safe fixes mend it, and neither"):
        testing.fix(replace(rule, folder=tmp_path), runs)

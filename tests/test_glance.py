"""What is said at once of a file is what its patterns say, though most of them are not tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopcheck.read import glance

ROOT = Path(__file__).parent.parent
TEXTS = [each.read_bytes() for folder in ("fixtures", "rules") for each in sorted((ROOT / folder).rglob("*.py"))]


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("def f(): pass", ["defines"]),
        ("import os\ndef f(): pass", ["defines"]),
        ("class A:\n    def f(): pass", []),
        ("torch.autograd.grad(y, x)", ["grad"]),
        ("clip_grad(x)", []),
        ("x = Variable(x, volatile = True)", ["volatile"]),
        ("x = Variable(x, volatile=False)", []),
        ("module = __import__(name)", ["imports by name"]),
        ("module = importlib.import_module(name)", ["imports by name"]),
        ("module = importlib.import_module('nets')", []),
        ("make = get_class(name)", ["imports by name"]),
        ("make = pydoc.locate(name)", ["imports by name"]),
        ("with torch.no_grad(): pass", ["torch 0.4"]),
        ("with torch.inference_mode(): pass", ["torch 0.4"]),
        ("device = torch.device('cpu')", ["torch 0.4"]),
        ("total += loss_G.item()", ["torch 0.4"]),
        ("total += count.item()", []),
    ],
)
def test_what_a_text_speaks_of(code: str, says: list[str]) -> None:
    assert glance.said(code.encode()).says == says


@pytest.mark.parametrize("word", glance._SAYS)
def test_a_pattern_that_is_not_tried_would_not_match(word: str) -> None:
    pattern = glance._SAYS[word]
    assert [pattern.search(text) for text in TEXTS] == [pattern.whole.search(text) is not None for text in TEXTS]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("import a.b as c, d  # both\n", ["a.b", "d"]),
        ("x = 1\n    from .nets import (One,\n        Two as Three)\n", [".nets", ".nets.One", ".nets.Two"]),
        ("from . import one, \\\n    two\n", [".", ".one", ".two"]),
        ("from a import *\n", ["a"]),
        ("# import a\n'''\nimport b\n'''", ["b"]),
    ],
)
def test_what_is_imported(code: str, names: list[str]) -> None:
    assert glance.imported(code.encode()) == names


def test_what_is_put_on_the_path_and_what_is_run() -> None:
    code = b"import sys\nsys.path.append('core')\nsys.path.insert(0, f'{here}/x')\nif __name__ == '__main__':\n    main()\n"
    assert glance.appended(code) == ["core"]
    assert glance.is_run(code)
    assert not glance.is_run(b"def f():\n    if __name__ == '__main__': pass\n")

"""The picture that the README opens with shows what is said now."""

from __future__ import annotations

import html
import re
from pathlib import Path

from picture import PICTURE, ROOT, RULE, drawn


def texts(svg: str) -> str:
    """What can be read in a picture."""
    return html.unescape("".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg))).replace("\xa0", " ")


def test_it_is_fresh() -> None:
    """`python tests/picture.py` draws it."""
    assert texts(PICTURE.read_text(encoding="utf-8")) == texts(drawn())


def test_it_shows_a_finding_and_its_proof() -> None:
    shown = texts(PICTURE.read_text(encoding="utf-8"))
    assert "$ loopcheck train.py" in shown
    assert f"[LC101] {RULE}: " in shown
    assert "on cpu: holds" in shown


def test_it_loads_nothing_from_elsewhere() -> None:
    svg = PICTURE.read_text(encoding="utf-8")
    assert re.findall(r"https?://[^\s\"')]+", svg) == ["http://www.w3.org/2000/svg"]
    assert "<script" not in svg


def test_the_readme_opens_with_it() -> None:
    opening = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    name = Path(PICTURE).relative_to(ROOT).as_posix()
    assert re.search(rf"!\[[^\]]{{20,}}\]\({name}\)", opening)

"""The pages as a browser lays them out: wide and narrow, light and dark, by keyboard. Nothing runs where there is no Chromium."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")

SCRIPT = Path(__file__).parent.parent / "rules/loopcheck_rules/clip_after_step/bad.py"
LOOK = """
const rgb = text => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
  .reduce((sum, c, at) => sum + c * [.2126, .7152, .0722][at], 0);
const ground = node => { for (; node; node = node.parentElement) {
  const colour = rgb(getComputedStyle(node).backgroundColor); if (colour.length < 4 || colour[3] > 0) return colour; }
  return [255, 255, 255]; };
const contrast = node => { const style = getComputedStyle(node);
  const [a, b] = [light(rgb(node.closest('svg') ? style.fill : style.color)), light(ground(node))].sort((x, y) => y - x);
  return (a + .05) / (b + .05); };
const words = node => [...node.childNodes].some(each => each.nodeType === 3 && each.textContent.trim());
const shown = [...document.querySelectorAll('body :not(style, script)')].filter(node => node.getClientRects().length);
const out = (a, b) => a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 1 || a.bottom > b.bottom + 1;
const cut = [...document.querySelectorAll('svg')].flatMap(svg => [...svg.querySelectorAll('text')]
  .filter(each => out(each.getBoundingClientRect(), svg.getBoundingClientRect())).map(each => each.textContent));
const reached = [...document.querySelectorAll('a')].filter(link => { link.focus(); return document.activeElement === link; });
document.documentElement.dataset.seen = JSON.stringify({
  wide: document.documentElement.scrollWidth - innerWidth, cut, dim: shown.filter(words).filter(node => contrast(node) < 4.5).map(
    node => [node.tagName, node.textContent.slice(0, 40), contrast(node)]),
  ground: light(ground(document.body)), links: document.querySelectorAll('a').length, reached: reached.length,
  drawn: document.querySelectorAll('svg').length, asked: performance.getEntriesByType('resource').length });
"""
"""What a person would see, asked of the browser: what is cut off, what is hard to read, what the keyboard does not reach."""


@dataclass(frozen=True)
class Browser:
    folder: Path

    def look(self, page: str, width: int, dark: bool) -> dict[str, Any]:
        file = self.folder / "page.html"
        file.write_text(page.replace("</body>", f"<script>{LOOK}</script></body>"), encoding="utf-8")
        assert BROWSER
        told = subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},900", "--dump-dom",
             f"--user-data-dir={self.folder / 'profile'}", f"--blink-settings=preferredColorScheme={0 if dark else 1}",
             file.as_uri()],
            capture_output=True, text=True, timeout=120, check=True,
        ).stdout  # fmt: skip
        seen = re.search(r'data-seen="([^"]*)"', told)
        assert seen
        return dict(json.loads(html.unescape(seen[1])))


def _by_option(*words: str) -> Callable[[Path], str]:
    def made(folder: Path) -> str:
        file = folder / "made.html"
        _run(*words[:1], "--html", str(file), *words[1:])
        return file.read_text(encoding="utf-8")

    return made


def _run(*words: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "loopcheck", *words], capture_output=True, text=True, encoding="utf-8", check=True, timeout=300
    ).stdout


PAGES: dict[str, Callable[[Path], str]] = {
    "show": _by_option("show", str(SCRIPT)),
    "audit": _by_option("audit", str(SCRIPT)),
    "prove": lambda folder: _run("prove", "clip-after-step", "--output-format", "html"),
}


@pytest.fixture(scope="module", params=PAGES)
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    return PAGES[request.param](tmp_path_factory.mktemp("page"))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1100, 500], ids=["wide", "narrow"])
def test_a_page_as_it_is_seen(page: str, width: int, dark: bool, tmp_path: Path) -> None:
    seen = Browser(tmp_path).look(page, width, dark)
    assert seen["wide"] <= 0, "it is wider than the window"
    assert seen["cut"] == []
    assert seen["dim"] == []
    assert (seen["ground"] < 0.1) == dark
    assert seen["reached"] == seen["links"]
    assert seen["drawn"]
    assert seen["asked"] == 0, "something is loaded"

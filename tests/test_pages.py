"""The site: it is built without a complaint, every link in it leads somewhere, and every rule is told of in full."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from pages import index, pages

from loopcheck import packs
from loopcheck.measured import load

ROOT = Path(__file__).parent.parent
RULES = packs.rules()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


@cache
def page(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def test_every_link_leads_somewhere(site: Path) -> None:
    """To a page, and where it names a place in it, to that place; what is loaded is the site's own."""
    broken: list[tuple[str, str]] = []
    followed = 0
    for file in site.rglob("*.html"):
        if file.name == "404.html":
            continue
        for link in map(html.unescape, re.findall(r'(?:href|src)="([^"]+)"', page(file))):
            if re.match(r"https?:|mailto:|data:", link):
                continue
            followed += 1
            path, place = urldefrag(unquote(link))
            target = (file.parent / path).resolve() if path else file
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file() or (place and target.suffix == ".html" and f'id="{place}"' not in page(target)):
                broken.append((str(file.relative_to(site)), link))
    assert broken == []
    assert followed > 10 * len(RULES)


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    loaded = {
        each for file in site.rglob("*.html") for each in re.findall(r'<(?:script|img)[^>]* src="(https?:[^"]+)"', page(file))
    }
    loaded |= {each for file in site.rglob("*.html") for each in re.findall(r'<link[^>]* href="(https?:[^"]+)"', page(file))}
    assert loaded == set()


def test_every_rule_has_a_page_and_a_row(site: Path) -> None:
    table = index(RULES)
    for rule in RULES:
        (row,) = (line for line in table.splitlines() if line.startswith(f"| {rule.code} "))
        cells = [cell.strip() for cell in row.strip("|").split(" | ")]
        assert len(cells) == 8
        assert cells[3] in ("silent", "warns", "raises")
        assert cells[4] == (rule.fix.applicability if rule.fix else "")
        assert all(cells[5:]), row
        assert (site / "rules" / rule.name / "index.html").is_file()


_SAID = re.compile(r"(?:Runtime|Type|Value)Error: \w|\"Detected call of|\"`parameters` is an empty generator")
"""How a page quotes torch's errors and warnings, so that who searches for them finds it."""


def test_a_rule_s_page_shows_what_it_is_about() -> None:
    made = pages()
    for rule in RULES:
        text = made[f"rules/{rule.name}.md"]
        assert "--8<--" not in text
        assert "\n```diff\n" in text
        assert "| quantity | bad: theory | measured |" in text
        assert f"[{rule.code}] {rule.name}: " in text
        parts = re.findall(r"^## (.+)$", text, re.MULTILINE)
        assert [each for each in parts if each.startswith(("How", "When", "Sources"))] == parts
        assert {"How to see it", "How it is mended", "Sources"} < set(parts)
        said = load(rule.folder)["cpu"].tells
        assert said == "silent" or re.search(_SAID, text), f"{rule.name} does not quote what torch says"
        assert any(each.startswith("When it is right") for each in parts), f"{rule.name} does not say when it is right"

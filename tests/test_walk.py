"""The walk in `docs/walk.md`: its files are written, its commands run one after the other, and what they say is what it shows.

`pytest tests/test_walk.py --snapshot-update` writes what they say.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_readme import bash, numbers, words

WALK = Path(__file__).parent.parent / "docs" / "walk.md"
_BLOCK = re.compile(r'^```(?P<what>console|python title="(?P<file>[\w.]+)")\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)


def walked(page: str, folder: Path) -> str:
    """The page with what its commands say now, in a folder that is empty at first."""

    def step(block: re.Match[str]) -> str:
        if block["file"]:
            (folder / block["file"]).write_text(block["text"], encoding="utf-8")
            return block[0]
        commands = [line for line in block["text"].splitlines() if line.startswith("$ ")]
        said = "".join(f"{command}\n{bash(command.removeprefix('$ '), folder)}" for command in commands)
        return f"```console\n{said}```"

    return _BLOCK.sub(step, page)


@pytest.mark.xdist_group("clip-scaled-gradients")
def test_every_step_says_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Digits may differ in the last places, as on any other processor."""
    monkeypatch.delenv("CI", raising=False)
    page = WALK.read_text(encoding="utf-8")
    now = walked(page, tmp_path)
    if request.config.getoption("--snapshot-update"):
        WALK.write_text(now, encoding="utf-8")
    assert words(now) == words(page)
    assert numbers(now) == pytest.approx(numbers(page), rel=1e-3)
    assert "Traceback" not in page


def test_every_step_is_there() -> None:
    page = WALK.read_text(encoding="utf-8")
    assert page.count("\n$ loopcheck ") >= 10
    for word in ("explain", "prove", "audit", "--fix", "--add-ignore", "baseline write", "pre-commit", "sarif:", "editors.md"):
        assert word in page, word
    assert [link for link in re.findall(r"\]\((?!https?:)([^)#]+)", page) if not (WALK.parent / link).exists()] == []

"""Links of rules in a terminal: only where they are followed, and nothing raw in them."""

from __future__ import annotations

import io
from pathlib import Path

import click
import pytest

from loopcheck import excerpt, packs
from loopcheck.check import check_source
from loopcheck.show import deliver
from loopcheck.show.links import follows, linked
from loopcheck.show.view import View

ASKED = (
    "FORCE_HYPERLINK",
    "GHOSTTY_RESOURCES_DIR",
    "DOMTERM",
    "KITTY_WINDOW_ID",
    "KONSOLE_VERSION",
    "TERM",
    "TERM_PROGRAM",
    "VTE_VERSION",
    "WEZTERM_PANE",
    "WT_SESSION",
)
START = "\x1b]8;;"


class Stream(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.fixture(autouse=True)
def nothing_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ASKED:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("environment", "terminal", "expected"),
    [
        ({}, True, False),
        ({"TERM": "xterm-256color"}, True, False),
        ({"VTE_VERSION": "4999"}, True, False),
        ({"VTE_VERSION": "7600"}, True, True),
        ({"VTE_VERSION": "many"}, True, False),
        ({"TERM_PROGRAM": "vscode"}, True, True),
        ({"TERM_PROGRAM": "vscode"}, False, False),
        ({"TERM_PROGRAM": "vscode", "FORCE_HYPERLINK": "0"}, True, False),
        ({"TERM_PROGRAM": "vscode", "TERM": "dumb"}, True, False),
        ({"FORCE_HYPERLINK": "1"}, False, True),
    ],
)
def test_who_follows_links(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], terminal: bool, expected: bool) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert follows(Stream(terminal)) is expected


def test_the_code_of_a_rule_leads_to_its_page(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    [rule] = [rule for rule in packs.rules() if rule.name == "clip-after-step"]
    report = check_source((rule.folder / "bad.py").read_bytes(), str(rule.folder / "bad.py"), [rule])
    view = View([report], lambda span: excerpt.lines(span.path), excerpt.row)
    deliver.show(view, "full", beside=False)
    assert START not in capsys.readouterr().out
    monkeypatch.setenv("FORCE_HYPERLINK", "1")
    deliver.show(view, "full", beside=False)
    page = (rule.folder / "page.md").absolute().as_uri()
    assert f"{START}{page}\x1b\\bug[LC101]{START}\x1b\\ clip-after-step" in click.unstyle(capsys.readouterr().out)
    for name in ("concise", "json", "github"):
        deliver.show(view, name, beside=False)
        assert START not in capsys.readouterr().out
    deliver.write(view, "full", tmp_path / "report")
    assert "\x1b" not in (tmp_path / "report").read_text(encoding="utf-8")


def test_nothing_in_a_path_is_a_command(tmp_path: Path) -> None:
    page = tmp_path / "a\x07b\x1b]8;;x" / "page.md"
    page.parent.mkdir()
    page.write_text("")
    uri = f"{tmp_path.as_uri()}/a%07b%1B%5D8%3B%3Bx/page.md"
    assert linked("LC101", page) == f"{START}{uri}\x1b\\LC101{START}\x1b\\"
    assert linked("LC101", page.with_name("none.md")) == "LC101"

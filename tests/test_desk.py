"""What an editor asks of texts, without an editor."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import BAD, GOOD, RULES, silenced

from loopcheck import packs
from loopcheck.desk import MOST_VERSIONS, REASON, Desk
from loopcheck.read import library
from loopcheck.read.stops.written import Written
from loopcheck.suppress import objection
from loopcheck.write.apply import edited


@pytest.fixture(autouse=True)
def _catalogue(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(packs, "rules", lambda: RULES)
    monkeypatch.chdir(tmp_path)


def test_what_was_read_of_old_versions_is_let_go_of() -> None:
    """A day of typing makes thousands."""
    path = Path("train.py")
    for number in range(3 * MOST_VERSIONS):
        Desk({path: f"{BAD}# {number}\n".encode()}).report(path)
    assert library._parsed.cache_info().currsize <= MOST_VERSIONS
    assert Written.of.cache_info().currsize <= MOST_VERSIONS


def test_edits_are_made_from_top_to_bottom_and_lead_to_what_fix_writes() -> None:
    path = Path("train.py")
    desk = Desk({path: BAD.encode()})
    assert edited(BAD.encode(), desk.mended(path)) == GOOD.encode()
    assert Desk({path: GOOD.encode()}).mended(path) == []


def test_a_comment_is_offered_without_its_reason() -> None:
    path = Path("train.py")
    desk = Desk({path: BAD.encode()})
    (finding,) = desk.report(path).findings
    text = edited(BAD.encode(), [desk.silencing(path, finding)])
    assert objection(REASON), "it silences nothing as it stands"
    assert [problem.code for problem in Desk({path: text}).report(path).problems] == ["suppression"]
    told = text.replace(REASON.encode(), b"shown in a lecture")
    assert Desk({path: told}).report(path).findings == ()


def test_baseline_and_comments_count() -> None:
    path = Path("train.py")
    path.write_text(BAD)
    text = silenced(11, "# loopcheck: ignore[clip-after-step] -- shown in a lecture").encode()
    assert Desk({path: text}).report(path).findings == ()


def test_what_is_excluded_is_left_alone() -> None:
    Path("outputs").mkdir()
    Path("loopcheck.toml").touch()
    path = Path("outputs/train.py")
    path.write_text(BAD)
    assert Desk({path: BAD.encode()}).report(path).skipped == "excluded"
    Path("loopcheck.toml").write_text("exclude = []\n")
    assert len(Desk({path: BAD.encode()}).report(path).findings) == 1

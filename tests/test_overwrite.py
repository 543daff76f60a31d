"""A file that is mended stays the file that it was to everybody else, and nobody's edit is lost."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner
from kills import kills
from samples import BAD, GOOD, RULES

from loopcheck import packs
from loopcheck.cli import program
from loopcheck.write import overwrite as writing
from loopcheck.write.overwrite import Refused, overwrite, overwrite_all


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_bytes(b"a\n")
    return path


def test_permissions_stay(script: Path) -> None:
    script.chmod(0o750)
    assert overwrite(script, b"b\n", b"a\n")
    assert script.read_bytes() == b"b\n"
    assert stat.S_IMODE(script.stat().st_mode) == 0o750
    assert os.listdir(script.parent) == ["train.py"]


def test_the_same_bytes_are_not_written(script: Path) -> None:
    before = script.stat()
    assert not overwrite(script, b"a\n", b"a\n")
    assert (script.stat().st_ino, script.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_link_stays_one(script: Path) -> None:
    link = script.parent / "link.py"
    link.symlink_to("train.py")
    assert overwrite(link, b"b\n", b"a\n")
    assert link.is_symlink()
    assert script.read_bytes() == b"b\n"


@pytest.mark.parametrize("data", [b"longer than before\n", b""])
def test_a_file_of_two_names_stays_one_file(script: Path, data: bytes) -> None:
    other = script.parent / "other.py"
    os.link(script, other)
    assert overwrite(script, data, b"a\n")
    assert script.samefile(other)
    assert other.read_bytes() == data
    assert sorted(os.listdir(script.parent)) == ["other.py", "train.py"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_stays(script: Path) -> None:
    os.chown(script, 1234, 1235)
    assert overwrite(script, b"b\n", b"a\n")
    assert (script.stat().st_uid, script.stat().st_gid) == (1234, 1235)


def test_an_owner_that_cannot_be_given_stays(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(writing, "_make_alike", refuse)
    before = script.stat().st_ino
    assert overwrite(script, b"b\n", b"a\n")
    assert script.stat().st_ino == before
    assert script.read_bytes() == b"b\n"
    assert os.listdir(script.parent) == ["train.py"]


@pytest.mark.parametrize("names", [1, 2])
def test_what_somebody_else_wrote_meanwhile_stays(script: Path, names: int) -> None:
    if names == 2:
        os.link(script, script.parent / "other.py")
    script.write_bytes(b"an edit\n")
    with pytest.raises(Refused, match="changed meanwhile"):
        overwrite(script, b"b\n", b"a\n")
    assert script.read_bytes() == b"an edit\n"
    assert len(os.listdir(script.parent)) == names


def test_what_may_only_be_read_is_refused(script: Path) -> None:
    script.chmod(0o444)
    with pytest.raises(Refused, match="may only be read"):
        overwrite(script, b"b\n", b"a\n")
    assert script.read_bytes() == b"a\n"


def test_an_error_on_the_way_leaves_the_file_as_it_was(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", crash)
    with pytest.raises(Refused, match="the file cannot be changed: No space left on device"):
        overwrite(script, b"b\n", b"a\n")
    assert script.read_bytes() == b"a\n"
    assert os.listdir(script.parent) == ["train.py"]


@pytest.fixture
def fix(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(packs, "rules", lambda: RULES)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("fix")
def test_an_edit_during_a_run_is_kept_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from loopcheck.write import apply

    mend = apply.mend

    def edited(*arguments: object, **options: object) -> object:
        mended = mend(*arguments, **options)  # type: ignore[arg-type]
        Path("train.py").write_text(BAD + "# mine\n")
        return mended

    monkeypatch.setattr(apply, "mend", edited)
    Path("train.py").write_text(BAD)
    result = CliRunner().invoke(program, ["check", "--fix", "train.py"])
    assert result.exit_code == 3
    assert "the file was changed meanwhile" in result.stdout
    assert Path("train.py").read_text() == BAD + "# mine\n"


@pytest.mark.usefixtures("fix")
def test_a_link_out_of_what_was_named_is_judged_and_not_mended() -> None:
    Path("out").mkdir()
    Path("in").mkdir()
    Path("out/train.py").write_text(BAD)
    Path("in/link.py").symlink_to("../out/train.py")
    result = CliRunner().invoke(program, ["check", "--fix", "in"])
    assert result.exit_code == 1
    assert "in/link.py: not mended: clip-after-step: it is a link out of what is to be mended" in result.stderr
    assert Path("out/train.py").read_text() == BAD
    assert CliRunner().invoke(program, ["check", "--fix", "in/link.py"]).exit_code == 0
    assert Path("out/train.py").read_text() == GOOD


def test_of_two_files_both_are_written_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody edits the second while the first is written, which is put back."""
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.write_bytes(b"old")
    second.write_bytes(b"old")
    put = writing._put

    def disturbed(target: Path, data: bytes, before: bytes, found: os.stat_result) -> None:
        put(target, data, before, found)
        second.write_bytes(b"theirs")

    monkeypatch.setattr(writing, "_put", disturbed)
    with pytest.raises(Refused, match="changed meanwhile"):
        overwrite_all([(first, b"new", b"old"), (second, b"new", b"old")])
    assert (first.read_bytes(), second.read_bytes()) == (b"old", b"theirs")


def test_a_process_that_is_killed_leaves_whole_files_and_no_others() -> None:
    assert kills(30) == []

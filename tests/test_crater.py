"""The crater tells what changed and keeps verdicts, on a made-up archive. The world itself: `python tests/crater.py`."""

from __future__ import annotations

import io
import subprocess
import tarfile
from dataclasses import replace
from pathlib import Path

import crater
import pytest
import releases
from crater import NEW_SOURCE, Seen, change, enclosing
from releases import WORLD, Pin, packages, pins, unpacked

TRAIN = """\
import torch
from torch import nn


class Trainer:
    def fit(self, model, loader):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
"""
CLIP = Seen("p/train.py", 12, "Trainer.fit", "LC101 clip-after-step", "bug", "high", crater.digest(TRAIN, 12))
PIN = Pin("made-up", "1.0", "sha256:0")


def archived(cache: Path, files: dict[str, str], pin: Pin = PIN) -> None:
    cache.mkdir(exist_ok=True)
    with tarfile.open(cache / f"{pin}.tar.gz", "w:gz") as archive:
        for path, text in files.items():
            member = tarfile.TarInfo(f"{pin.name}-{pin.version}/{path}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))


def crated(tmp_path: Path, *options: str, version: str = "1.0") -> int:
    (tmp_path / "packages.txt").write_text(f"# what is followed\n\nmade-up=={version} sha256:0\n")
    return crater.main([*options, "--world", str(tmp_path), "--cache-dir", str(tmp_path / "cache")])


def test_a_pin_says_what_it_pins() -> None:
    assert pins("# two\n\na==1.0 sha256:12\no/n@34\n") == [Pin("a", "1.0", "sha256:12"), Pin("o/n", "34")]
    assert list(map(str, pins("a==1.0 sha256:12\no/n@34"))) == ["a==1.0", "o/n@34"]


@pytest.mark.parametrize("line", ["timm", "timm==1.0", "timm>=1.0 sha256:12", "o/n", "o/n@34 sha256:12"])
def test_what_pins_nothing_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="not a pin"):
        Pin.read(line)


def test_only_python_leaves_the_archive(tmp_path: Path) -> None:
    archived(tmp_path, {"p/a.py": "", "p/weights.bin": "x", "README.md": ""})
    with unpacked(PIN, tmp_path) as tree:
        assert [path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()] == ["p/a.py"]
    assert not tree.exists()


@pytest.mark.parametrize(
    ("row", "name"), [(1, "-"), (5, "Trainer"), (6, "Trainer.fit"), (12, "Trainer.fit"), (14, "-"), (16, "f")]
)
def test_the_function_around_a_line(row: int, name: str) -> None:
    assert enclosing(TRAIN + "\n\nif 1:\n    @g\n    def f(): ...\n", row) == name


def test_new_gone_and_another_confidence() -> None:
    stays, goes = replace(CLIP, verdict="right"), replace(CLIP, row=30, verdict="wrong: why")
    came = change([stays, goes], [replace(CLIP, confidence="low"), replace(CLIP, row=40)])
    assert came.now == (replace(stays, confidence="low"), replace(CLIP, row=40))
    assert (came.added, came.gone, came.altered) == (came.now[1:], (goes,), came.now[:1])
    assert [line[0] for line in came.told()] == ["+", "-", "~"]


def test_of_one_source_another_line_is_another_finding() -> None:
    """What its text says is the same in many places: the verdict of one is not that of another."""
    came = change([replace(CLIP, verdict="right")], [replace(CLIP, row=13)])
    assert [seen.verdict for seen in came.now] == ["unread"]


@pytest.mark.parametrize("moved", [{"row": 20}, {"path": "p/other.py", "row": 3}], ids=["moved down", "moved to another file"])
def test_a_verdict_survives_a_new_version(moved: dict[str, str]) -> None:
    (now,) = change([replace(CLIP, verdict="right")], [replace(CLIP, **moved)], NEW_SOURCE).now  # type: ignore[arg-type]
    assert now == replace(CLIP, verdict="right", **moved)  # type: ignore[arg-type]


@pytest.mark.parametrize("other", [{"text": "0"}, {"rule": "LC102 x"}, {"function": "g"}], ids=["text", "rule", "function"])
def test_and_is_no_verdict_of_anything_else(other: dict[str, str]) -> None:
    (now,) = change([replace(CLIP, verdict="right")], [replace(CLIP, **other)], NEW_SOURCE).now  # type: ignore[arg-type]
    assert now.verdict == "unread"


def test_the_nearest_of_two_that_say_the_same() -> None:
    before = [replace(CLIP, verdict="right"), replace(CLIP, row=20, verdict="wrong: why")]
    came = change(before, [replace(CLIP, row=20)], NEW_SOURCE)
    assert [seen.verdict for seen in came.now] == ["wrong: why"]


def test_the_list_is_read_as_it_was_written() -> None:
    listed = {"b": ("2", [replace(CLIP, row=30), replace(CLIP, verdict="wrong: a\u00b7b")]), "a": ("1", list[Seen]())}
    text = crater.write(listed)
    assert [line.strip().partition("\t")[0] for line in text.splitlines()] == ["a 1", "b 2", CLIP.rule, CLIP.rule]
    assert crater.write(crater.read(text)) == text
    assert crater.read(text)["b"][1] == listed["b"][1][::-1]


def test_a_verdict_is_one_of_four() -> None:
    with pytest.raises(ValueError, match="no verdict: 'fine'"):
        Seen.read(f"\t{CLIP}".replace("unread", "fine"))


def test_verdicts_are_counted() -> None:
    several = [replace(CLIP, verdict=verdict) for verdict in ("right", "right", "wrong: why", "unread")]
    _, row, bugs = crater.table({"p": ("1", several)}).splitlines()
    assert row.split() == ["LC101", "clip-after-step", "high", "2", "1", "0", "1"]
    assert bugs.split() == ["all", "bugs", "high", "2", "1", "0", "1", "0.67", "right"]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archived(tmp_path / "cache", {"p/train.py": TRAIN, "p/broken.py": "print 1\n"})
    findings = tmp_path / "findings.txt"
    assert crated(tmp_path) == 1, "a finding that no list holds"
    assert capsys.readouterr().out == f"~ made-up: 1.0, not in the list\n+ made-up: {CLIP}\n".expandtabs(1)
    assert not findings.exists()
    assert crated(tmp_path, "--update") == 0
    assert findings.read_text() == f"made-up 1.0\n\t{CLIP}\n"
    findings.write_text(findings.read_text().replace("unread", "right"))
    capsys.readouterr()
    assert crated(tmp_path) == 0
    assert crated(tmp_path, "another") == 0
    assert capsys.readouterr().out == ""
    mended = TRAIN.replace("\n            nn.utils.clip_grad_norm_(model.parameters(), 1.0)", "")
    archived(tmp_path / "cache", {"p/train.py": mended}, Pin("made-up", "1.1", ""))
    assert crated(tmp_path, version="1.1") == 1
    gone = replace(CLIP, verdict="right")
    assert capsys.readouterr().out == f"~ made-up: 1.1, and the list is of 1.0\n- made-up: {gone}\n".expandtabs(1)


def test_a_package_that_takes_too_long(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archived(tmp_path / "cache", {"p/train.py": TRAIN})
    (tmp_path / "findings.txt").write_text(f"made-up 1.0\n\t{CLIP}\n")
    assert crated(tmp_path, "--update", "--seconds", "0.01") == 0
    assert capsys.readouterr().out == "! made-up: over 0.01 s\n"
    assert (tmp_path / "findings.txt").read_text() == f"made-up 1.0\n\t{CLIP}\n", "nothing is known of it"


def test_the_list_that_is_kept() -> None:
    """Every package is pinned, and pinned once; no finding is listed of one that is not."""
    names = [pin.name for pin in packages()]
    listed = crater.read((WORLD / "findings.txt").read_text(encoding="utf-8"))
    assert len(names) == len(set(names)) >= 60
    assert set(listed) <= set(names)


def test_a_package_that_cannot_be_fetched_is_told_and_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def unreachable(pin: Pin, folder: Path) -> Path:
        raise subprocess.CalledProcessError(128, ["git", "fetch"])

    monkeypatch.setattr(releases, "_from_pypi", unreachable)
    listed = {PIN.name: (PIN.version, [CLIP])}
    assert not crater._follow(PIN, listed, tmp_path, 1.0)
    assert capsys.readouterr().out == "! made-up: it cannot be fetched from here\n"
    assert listed == {PIN.name: (PIN.version, [CLIP])}

"""What is handed out: the wheel, the door that rule packs come in by, and a catalogue in which every rule is whole."""

from __future__ import annotations

import configparser
import json
import os
import re
import subprocess
import sys
import zipfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import loopcheck_rules
import pytest
from samples import BAD, CLIP, SCHEDULE

from loopcheck import packs
from loopcheck.rule import Rule
from loopcheck.testing import scripts

ROOT = Path(__file__).parent.parent
PACK = "loopcheck_rules"
FOLDERS = {"loopcheck": ROOT / "src" / "loopcheck", PACK: ROOT / "rules" / PACK}
"""The packages of the wheel, and where they live."""

STARRED = ("LC101", "LC201", "LC301", "LC401", "LC501", "LC601", "LC602", "LC701")
"""The rules that are met most: a false alarm of theirs is met most, too."""

RULES = [rule for rule in packs.rules() if rule.folder.parent == Path(loopcheck_rules.__path__[0])]
each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


# --- the wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (file,) = folder.iterdir()
    return zipfile.ZipFile(file)


@pytest.mark.parametrize("package", FOLDERS)
def test_wheel_holds_every_file(wheel: zipfile.ZipFile, package: str) -> None:
    """Pages, scripts and the types' mark are data: without them `explain`, `prove`, `new` and mypy have nothing to read."""
    folder = FOLDERS[package]
    files = {path.relative_to(folder.parent).as_posix() for path in folder.rglob("*") if path.is_file()}
    files = {name for name in files if "__pycache__" not in name}
    assert f"{package}/py.typed" in files
    assert {name for name in wheel.namelist() if name.startswith(f"{package}/")} == files


def test_wheel_says_how_to_come_in(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/entry_points.txt"))
    points = configparser.ConfigParser()
    points.read_string(wheel.read(name).decode())
    assert points["console_scripts"]["loopcheck"] == "loopcheck.cli:main"
    assert PACK in points[packs.ENTRY_POINT].values()
    assert f"{Path(name).parent}/licenses/LICENSE" in wheel.namelist()


def test_linting_asks_for_no_torch(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    required = re.findall(r"^Requires-Dist: ([\w-]+)(.*)$", wheel.read(name).decode(), re.MULTILINE)
    always = {package for package, condition in required if "extra ==" not in condition}
    assert always == {"click", "libcst", "pathspec", "tomli"}


# --- a stranger's pack


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """A folder that, on the path, is an installed package that offers a pack without a rule."""
    pack = tmp_path / "their_rules"
    pack.mkdir()
    (pack / "__init__.py").touch()
    info = tmp_path / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{packs.ENTRY_POINT}]\ntheirs = their_rules\n")
    return tmp_path


def program(stranger: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Call loopcheck where the stranger's package is installed."""
    return subprocess.run(
        [sys.executable, "-m", "loopcheck", *arguments],
        cwd=stranger,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(stranger), os.environ.get("PYTHONPATH", "")])},
        capture_output=True,
        text=True,
        check=False,
    )


def names(stranger: Path) -> set[str]:
    return {rule["name"] for rule in json.loads(program(stranger, "rules", "--output-format", "json").stdout)}


def test_rule_of_a_stranger_is_one_of_all(stranger: Path) -> None:
    ours = names(stranger)
    made = program(stranger, "new", "their-rule", "--code", "XY101", "--pack", "their_rules")
    assert made.returncode == 0, made.stderr
    assert names(stranger) == ours | {"their-rule"}
    found = program(stranger, "check", "--select", "XY101", "their_rules/their_rule/bad.py")
    assert (found.returncode, "[XY101] their-rule" in found.stdout) == (1, True), found.stdout + found.stderr


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ('"""A rule."""\n', "defines no `rule = Rule(...)`"),
        ("from loopcheck import Rule, clip\nrule = Rule('XY101', clip, 'no')\n", "has no docstring"),
        ('"""A rule."""\nfrom loopcheck import Rule, clip\nrule = Rule("LC101", clip, "no")\n', "both define LC101"),
        ('"""A rule."""\nfrom loopcheck import clop\n', "cannot import name 'clop'"),
    ],
    ids=["no rule", "no docstring", "a code that is taken", "an import that fails"],
)
def test_pack_that_cannot_be_used(stranger: Path, source: str, complaint: str) -> None:
    (stranger / "their_rules" / "wrong").mkdir()
    (stranger / "their_rules" / "wrong" / "__init__.py").write_text(source)
    (stranger / "train.py").write_text(BAD)
    told = program(stranger, "train.py")
    assert told.returncode == 2
    assert complaint in told.stderr
    assert "Traceback" not in told.stderr


# --- the catalogue


def test_there_are_rules() -> None:
    assert {rule.code for rule in RULES} >= set(STARRED)


def test_codes_and_names_are_taken_once() -> None:
    taken = Counter(word for rule in packs.rules() for word in (rule.code, rule.name))
    assert [word for word, times in taken.items() if times > 1] == []


@each_rule
def test_code_and_name_are_well_formed(rule: Rule) -> None:
    assert re.fullmatch(r"L[CP]\d{3}", rule.code)
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", rule.name)
    assert re.fullmatch(r"[A-Z].*[^.]\.", rule.title), "a title is a sentence"


@each_rule
def test_examples_are_enough(rule: Rule) -> None:
    """The bug in other clothes, and what looks like it and is right."""
    held = Counter(script.stem.partition("_")[0] for script in scripts(rule) if "_" in script.stem)
    assert held["bad"] >= 2
    assert held["good"] >= (3 if rule.code in STARRED else 1)


@each_rule
def test_page_shows_its_scripts_and_copies_none(rule: Rule) -> None:
    page = (rule.folder / "page.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {rule.name}\n")
    assert re.findall(r'^--8<-- "(.*)"$', page, re.MULTILINE) == ["finding", "proof", "difference"]
    assert "```" not in page


def test_a_rule_gives_way_to_rules_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of another pack among them, whichever is loaded first."""
    packages = {"mine": [replace(CLIP, unless=("scheduler-first",))], "builtin": [SCHEDULE]}
    monkeypatch.setattr(packs, "entry_points", lambda group: [SimpleNamespace(value=name) for name in packages])
    monkeypatch.setattr(packs, "_pack", packages.__getitem__)
    assert packs.rules.__wrapped__() == (packages["mine"][0], SCHEDULE)
    packages["mine"] = [replace(CLIP, unless=("schedule-first",))]
    with pytest.raises(packs.PackError, match=r"clip_after_step: unless='schedule-first' names no rule; did you mean 'sche"):
        packs.rules.__wrapped__()
    packages["mine"] = [replace(CLIP, unless=("elsewhere",))]
    with pytest.raises(packs.PackError, match=r"unless='elsewhere' names no rule; `loopcheck rules` lists"):
        packs.rules.__wrapped__()


def test_a_rule_that_cannot_be_imported_is_told_by_its_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, text in (("", ""), ("late", "from loopcheck import by_hand\n")):
        (tmp_path / "mine_to_break" / name).mkdir()
        (tmp_path / "mine_to_break" / name / "__init__.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(packs, "entry_points", lambda group: [SimpleNamespace(value="mine_to_break")])
    with pytest.raises(packs.PackError, match=r"the rule in .*late cannot be loaded: ImportError: cannot import name 'by_hand'"):
        packs.rules.__wrapped__()

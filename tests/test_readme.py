"""What the README shows is what happens: its commands are run, its tables and examples are compared with what they are about."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from loopcheck import config
from loopcheck.check import check_source
from loopcheck.cli.check import command as check
from loopcheck.packs import rules

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BAD = ROOT / "rules/loopcheck_rules/clip_after_step/bad.py"
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]\d+)?")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def the(language: str, containing: str) -> str:
    (block,) = (block for block in blocks(language) if containing in block)
    return block


def bash(commands: str, cwd: Path = ROOT) -> str:
    """What a terminal shows of commands, with the tools of this interpreter's environment first."""
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    process = subprocess.run(
        ["bash", "-c", commands],
        cwd=cwd,
        env={**os.environ, "PATH": tools},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return process.stdout


def words(text: str) -> str:
    """Text with its numbers and the width of its columns left out."""
    return re.sub(" +", " ", NUMBER.sub("N", text))


def numbers(text: str) -> list[float]:
    return [float(number) for number in NUMBER.findall(text)]


@pytest.mark.parametrize("block", blocks("console"), ids=lambda block: block.split("\n")[0].removeprefix("$ "))
def test_what_a_terminal_shows(block: str) -> None:
    """Digits may differ in the last places: another processor adds up in another order."""
    lines = block.splitlines(keepends=True)
    shown = bash("".join(line.removeprefix("$ ") for line in lines if line.startswith("$ ")))
    told = "".join(line for line in lines if not line.startswith("$ "))
    assert words(shown) == words(told), shown
    assert numbers(shown) == pytest.approx(numbers(told), rel=1e-3), shown


def test_table_of_rules() -> None:
    catalogue = json.loads(bash("loopcheck rules --output-format json"))
    rows = [f"| {row['code']} | {row['name']} | {row['group']} | {row['fix'] or ''} | {row['summary']} |" for row in catalogue]
    assert re.findall(r"^\| L[CP].*$", README, re.MULTILINE) == rows, "\n".join(rows)


def test_the_rule_is_the_one_that_is_judged() -> None:
    assert the("python", "Rule(") == (BAD.parent / "__init__.py").read_text(encoding="utf-8")


def test_comment_silences() -> None:
    comment = the("python", "loopcheck: ignore").strip()
    silenced = re.sub(r"\S.*# bug$", lambda _: comment, BAD.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert check_source(silenced.encode(), "bad.py", rules()).findings == ()
    shrugged = silenced.partition(" -- ")[0] + "\n"
    assert [problem.code for problem in check_source(shrugged.encode(), "bad.py", rules()).problems] == ["suppression"]


def test_settings_can_be_used(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (tmp_path / config.OWN).write_text("")
    (folder / "pyproject.toml").write_text(the("toml", "[tool.loopcheck]"))
    (folder / "train.py").write_bytes(BAD.read_bytes())
    assert {*config.read(folder / "pyproject.toml")["tool"]["loopcheck"]} == {*config.KEYS}
    assert "LC101" in bash("loopcheck train.py", cwd=folder)


def test_exit_codes_are_those_of_the_help() -> None:
    (told,) = re.findall(r"^Exit codes: (.*)$", README, re.MULTILINE)
    assert told.removesuffix(".") in " ".join((check.help or "").split())


def test_hooks_exist() -> None:
    hooks = re.findall(r"^- id: (\S+)$", (ROOT / ".pre-commit-hooks.yaml").read_text(), re.MULTILINE)
    named = re.findall(r"- id: (\S+) # or ([\w-]+),", the("yaml", "repos:"))
    assert [set(pair) for pair in named] == [set(hooks)]


def test_set_up_is_two_commands() -> None:
    """Each makes its own environment; the script that the one judges and the extra that the other installs exist."""
    judge, test = (shlex.split(block) for block in blocks("sh"))
    assert judge[:4] == test[:4] == ["python3", "-m", "venv", ".venv"]
    assert (ROOT / judge[-1]).is_file()
    extras = config.read(ROOT / "pyproject.toml")["project"]["optional-dependencies"]
    assert {".[dev]", "torch==2.13.0"} <= set(test)
    assert "torch==2.13.0" in extras["dev"]


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []

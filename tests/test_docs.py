"""What the pages tell people to put into their own files can be put there."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from loopcheck import config
from loopcheck.show import formats

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
EDITORS, CI = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("editors.md", "ci.md"))


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def test_every_editor_starts_the_server() -> None:
    sections = re.split(r"^## ", EDITORS, flags=re.MULTILINE)[1:]
    editors = {section.partition("\n")[0]: section for section in sections}
    assert {"VS Code", "Neovim", "Helix", "Emacs"} <= editors.keys()
    for name in ("VS Code", "Neovim", "Helix", "Emacs"):
        assert re.search(r'"loopcheck"[\s\S]*"server"', editors[name]), name


def test_what_is_json_and_toml_is_so() -> None:
    (settings,) = map(json.loads, blocks(EDITORS, "json"))
    assert settings["glspc.server.commandArguments"] == ["server"]
    helix, own = map(tomllib.loads, blocks(EDITORS, "toml"))
    assert helix["language-server"]["loopcheck"] == {"command": "loopcheck", "args": ["server"]}
    assert {*own} <= {*config.KEYS}


def test_the_action_is_called_with_what_it_takes() -> None:
    jobs: dict[str, Any] = yaml.safe_load(next(block for block in blocks(CI, "yaml") if "uses:" in block))["jobs"]
    (step,) = (step for step in jobs["loopcheck"]["steps"] if "loopcheck" in step["uses"])
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    assert {*step["with"]} == {*inputs}
    assert all(isinstance(value, str) for value in step["with"].values())


def test_gitlab_is_given_a_format_that_there_is() -> None:
    job: dict[str, Any] = yaml.safe_load(next(block for block in blocks(CI, "yaml") if "codequality" in block))["loopcheck"]
    (name, file) = re.findall(r"--output (\w+):(\S+)", " ".join(job["script"]))[0]
    assert name in formats.names()
    assert job["artifacts"]["reports"]["codequality"] == file
    assert job["artifacts"]["when"] == "always"


@pytest.mark.parametrize("page", [EDITORS, CI], ids=["editors", "ci"])
def test_every_option_that_is_named_is_there(page: str) -> None:
    from loopcheck.cli.check import command

    known = {name for parameter in command.params for name in parameter.opts}
    named = set(re.findall(r"(?<![\w-])--[a-z-]+\b", page))
    assert named <= known | {"--add-on"}, named - known

"""The GitHub action: what it promises of itself, and what its script does with whatever it is given."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from samples import BAD, GOOD

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]


def test_it_is_a_composite_of_steps_with_names() -> None:
    assert ACTION["runs"]["using"] == "composite"
    assert [step["name"] for step in STEPS] == ["Install", "Judge", "Upload"]
    assert [step["shell"] for step in STEPS if "run" in step] == ["bash", "bash"]


def test_nothing_is_put_into_a_shell() -> None:
    """What somebody writes as an input, or names a branch, arrives in a variable and is no code."""
    assert [step["name"] for step in STEPS if "${{" in step.get("run", "")] == []
    assert "eval" not in (ROOT / ".github" / "judge.sh").read_text()


def test_what_it_uses_is_pinned() -> None:
    uses = [step["uses"] for step in STEPS if "uses" in step]
    assert uses
    assert [each for each in uses if not re.fullmatch(r"[\w-]+/[\w/-]+@[0-9a-f]{40}", each)] == []


def test_every_input_is_used_and_every_one_that_is_used_is_there() -> None:
    used = set(re.findall(r"inputs\.(\w+)", json.dumps(STEPS)))
    assert used == {*ACTION["inputs"]}
    assert all(each["description"].endswith(".") and isinstance(each["default"], str) for each in ACTION["inputs"].values())


def test_a_finding_does_not_keep_the_log_from_being_uploaded() -> None:
    (upload,) = (step for step in STEPS if step["name"] == "Upload")
    assert "always()" in upload["if"]
    assert "steps.judge.outputs.sarif != ''" in upload["if"]


def judge(folder: Path, **inputs: str) -> tuple[int, str, str, dict[str, str]]:
    """What the step does: its status, what it shows, the job's summary, and its outputs."""
    for name in ("summary", "output"):
        (folder / name).touch()
    environment = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "RUNNER_TEMP": str(folder),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        "GITHUB_OUTPUT": str(folder / "output"),
        **{f"LOOPCHECK_{name.upper()}": value for name, value in inputs.items()},
    }
    script = ROOT / ".github" / "judge.sh"
    done = subprocess.run(
        ["bash", str(script)], cwd=folder / "work", env=environment, capture_output=True, text=True, check=False
    )
    outputs = dict(line.split("=", 1) for line in (folder / "output").read_text().splitlines())
    return done.returncode, done.stdout + done.stderr, (folder / "summary").read_text(), outputs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "train.py").write_text(BAD)
    (tmp_path / "work" / "my good.py").write_text(GOOD)
    return tmp_path


def test_findings_are_told_everywhere(folder: Path) -> None:
    status, shown, summary, outputs = judge(folder, paths=".", options="")
    assert status == 1
    assert "::error file=train.py" in shown
    assert "clip\\-after\\-step" in summary
    (run,) = json.loads(Path(outputs["sarif"]).read_text())["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["LC101"]


def test_words_are_words_whatever_they_hold(folder: Path) -> None:
    status, shown, _, _ = judge(folder, paths="my good.py\n", options="--no-cache\n\n--ignore\nLC2")
    assert (status, shown) == (0, "")
    status, shown, _, outputs = judge(folder, paths="$(touch planted)\n`touch planted`; touch planted", options="")
    assert (status, outputs.keys() - {"sarif"}) == (2, set())
    assert "no such file or folder" in shown
    assert not (folder / "work" / "planted").exists()
    status, shown, _, _ = judge(folder, paths="--fix", options="")
    assert (status, (folder / "work" / "train.py").read_text()) == (2, BAD), "a path is no option"

"""The baseline: what a project lives with is not told again, whatever row it moves to, and what is mended is forgotten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from samples import BAD, CLIP_ROW, GOOD
from test_cli import Run, found, run, write

from loopcheck.baseline import FILE

__all__ = ["run"]


@pytest.fixture(autouse=True)
def _at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)


def check(run: Run, *arguments: str) -> Result:
    return run(".", "--output-format", "json", *arguments)


def known() -> dict[str, list[str]]:
    if not Path(FILE).exists():
        return {}
    return {path: [each["code"] for each in several] for path, several in json.loads(Path(FILE).read_text())["findings"].items()}


def test_what_is_known_is_not_told(run: Run) -> None:
    write({"train.py": BAD})
    assert run("baseline", "write").exit_code == 0
    assert known() == {"train.py": ["LC101"]}
    result = run(".")
    assert result.exit_code == 0
    assert result.stdout == "Found nothing in 1 file (1 checked). 1 in the baseline.\n"
    assert found(check(run, "--no-baseline")) == [("train.py", "LC101")]


@pytest.mark.parametrize(
    "text",
    [f"import os\n\n{BAD}", BAD.replace("    loss.backward()", "\n    print(y)\n    loss.backward()"), BAD.replace("    ", "\t")],
)
def test_it_is_known_on_another_row(run: Run, text: str) -> None:
    write({"train.py": BAD})
    run("baseline", "write")
    write({"train.py": text})
    assert found(check(run)) == []
    assert known() == {"train.py": ["LC101"]}


IN_A_FUNCTION = "def train():\n" + "".join(f"    {line}" for line in BAD[BAD.index("for") :].splitlines(keepends=True))


@pytest.mark.parametrize("text", [BAD + BAD.replace("1.0", "2.0"), GOOD + IN_A_FUNCTION])
def test_what_is_new_is_told(run: Run, text: str) -> None:
    """By another text, or in another function."""
    write({"train.py": BAD})
    run("baseline", "write")
    write({"train.py": text})
    assert found(check(run)) == [("train.py", "LC101")]


def test_the_second_of_two_alike_is_told(run: Run) -> None:
    write({"train.py": BAD})
    run("baseline", "write")
    write({"train.py": BAD + BAD[BAD.index("for") :]})
    assert found(check(run)) == [("train.py", "LC101")]


def test_it_shrinks_by_itself(run: Run) -> None:
    write({"train.py": BAD, "other.py": BAD})
    run("baseline", "write")
    write({"train.py": GOOD})
    result = check(run)
    assert (result.exit_code, found(result)) == (0, [])
    assert "1 finding is not found any more, and taken out" in result.stderr
    assert known() == {"other.py": ["LC101"]}
    Path("other.py").unlink()
    check(run)
    assert not Path(FILE).exists()


def test_in_ci_somebody_has_to(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"train.py": BAD, "other.py": BAD})
    run("baseline", "write")
    write({"train.py": GOOD})
    monkeypatch.setenv("CI", "true")
    result = check(run)
    assert (result.exit_code, "loopcheck baseline prune" in result.stderr) == (1, True)
    assert known() == {"train.py": ["LC101"], "other.py": ["LC101"]}
    assert run("baseline", "prune").stdout == "1 finding is gone, 1 left in the baseline.\n"
    assert check(run).exit_code == 0


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (GOOD, ["--select", "LC501"]),
        (GOOD, ["other.py"]),
        ("def f(:  # backward\n", []),
        (GOOD, ["--no-baseline"]),
        (GOOD, ["--diff"]),
    ],
)
def test_it_does_not_shrink_where_nobody_looked(run: Run, text: str, arguments: list[str]) -> None:
    write({"train.py": BAD, "other.py": GOOD})
    run("baseline", "write")
    write({"train.py": text})
    run(*(arguments if "other.py" in arguments else [".", *arguments]))
    assert known() == {"train.py": ["LC101"]}


def test_writing_for_one_file_leaves_the_others(run: Run) -> None:
    write({"a/train.py": BAD, "b/train.py": BAD})
    run("baseline", "write")
    write({"a/train.py": GOOD, "b/train.py": GOOD})
    run("baseline", "write", "a")
    assert known() == {"b/train.py": ["LC101"]}


def test_it_lies_beside_the_settings(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"pyproject.toml": "[tool.loopcheck]\n", "src/train.py": BAD})
    monkeypatch.chdir("src")
    assert run("baseline", "write", "train.py").exit_code == 0
    monkeypatch.chdir("..")
    assert known() == {"src/train.py": ["LC101"]}
    assert found(check(run)) == []


def test_list(run: Run) -> None:
    write({"train.py": BAD})
    run("baseline", "write")
    first, last = run("baseline", "list").stdout.splitlines()
    assert first.startswith(f"train.py:{CLIP_ROW}: LC101 clip-after-step: `nn.utils")
    assert last == "1 finding is in the baseline."


@pytest.mark.parametrize(
    "text", ["[]", "{", '{"version": 9, "findings": {}}', '{"version": 1, "findings": {"a.py": [{"x": 1}]}}', "null"]
)
def test_what_is_no_baseline_is_refused(run: Run, text: str) -> None:
    write({"train.py": GOOD, FILE: text})
    result = run(".")
    assert result.exit_code == 2
    assert "is no baseline" in result.stderr

"""What is not read could not have mattered: with everything read both sides of the verdicts stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fixtures import PROGRAMS, files
from test_projects import PROJECTS
from worth import read

from loopcheck import packs, testing
from loopcheck.check import check_file
from loopcheck.read import program
from loopcheck.read.front import relevance
from loopcheck.read.library import Library
from loopcheck.rule import Rule

LONG = "def helper(n):\n" + "    n = n + 1\n" * (relevance.SHORT + 1) + "    return n\n\n\n"


@pytest.fixture
def everything_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relevance, "does", lambda facts, held: True)
    monkeypatch.setattr(program, "stands_alone", lambda facts, index: True)


@pytest.fixture(scope="module")
def library() -> Library:
    """Of all files that are judged here."""
    programs = [file for path in PROGRAMS for file in files(path)] + [file for path in PROJECTS for file in path.rglob("*.py")]
    return Library([*programs, *(script for rule in packs.rules() for script in testing.scripts(rule))])


def judged(script: Path, library: Library) -> set[testing.Mark]:
    first = testing._statements(script)
    findings = check_file(script, packs.rules(), library).findings
    return {(each.rule.name, first(each.primary.row)) for each in findings if each.elsewhere is None}


@pytest.mark.usefixtures("everything_matters")
@pytest.mark.parametrize("rule", packs.rules(), ids=lambda rule: rule.name)
def test_scripts_of_rules(rule: Rule, library: Library) -> None:
    for script in testing.scripts(rule):
        assert judged(script, library) == testing.marks(script, rule.name), script


@pytest.mark.usefixtures("everything_matters")
@pytest.mark.parametrize("path", [*PROGRAMS, *PROJECTS], ids=lambda path: path.stem)
def test_whole_programs(path: Path, library: Library) -> None:
    for file in sorted(path.rglob("*.py")) if path.is_dir() else files(path):
        assert judged(file, library) == testing.marks(file), file


@pytest.mark.usefixtures("everything_matters")
def test_everything_is_read() -> None:
    m, _ = read(f"{LONG}x = helper(2)\n")
    assert len(m.definitions) == 1
    assert len(read(LONG)[1].entries) == 2


def test_what_cannot_matter_is_not_read() -> None:
    m, _ = read(f"{LONG}x = helper(2)\n")
    assert len(m.definitions) == 0
    assert len(read(LONG)[1].entries) == 1


@pytest.mark.parametrize(
    "line",
    [
        "call.backward()",
        "call.step()",
        "call.eval()",
        "call.train()",
        "call(optim)",
        "with no_grad(): pass",
        "import torch.optim",
        "yield",
        "Discriminator()",
        "nn.Linear(2, 2)",
        "n()",
        "return call.grad",
        "p.requires_grad = False",
    ],
)
def test_what_acts(line: str) -> None:
    assert read(LONG.replace("    return n\n", f"    {line}\n") + "x = helper(2)\n")[0].definitions


@pytest.mark.parametrize(
    ("code", "calls"),
    [
        ("def inner(n):\n    n.step()\n\n\ndef helper(n):\n    return inner(n)\n", 2),
        ("class Inner:\n    def run(self, n):\n        n.step()\n\n\ndef helper(n):\n    return Inner().run(n)\n", 2),
        (LONG.replace("helper", "inner") + "def helper(n):\n    return inner(n)\n", 0),
    ],
)
def test_what_reaches_code_that_acts(code: str, calls: int) -> None:
    padded = code.replace("def helper(n):\n", "def helper(n):\n" + "    n = n + 1\n" * 9)
    assert len(read(f"{padded}\n\nx = helper(2)\n")[0].definitions) == calls

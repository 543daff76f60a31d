"""What a function lacks is handed to it by who calls it: in one file, or in two, which are both mended or neither."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from loopcheck import packs
from loopcheck.desk import Desk
from loopcheck.finding import Finding
from loopcheck.job import Job, Outcome, holds_together, work

RULES = packs.rules()

ENGINE = """\
import torch
from torch import nn


def train_one_epoch(model, loader, optimizer, max_norm=1.0):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
"""
MAIN = """\
import torch
from torch import nn

from engine import train_one_epoch


def main():
    x = torch.randn(16, 4)
    batches = list(zip(x.split(4), x.sum(1, keepdim=True).split(4)))
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        train_one_epoch(model, batches, optimizer)


if __name__ == "__main__":
    main()
"""
HANDED = {
    "engine.py": ENGINE.replace("optimizer, max_norm", "optimizer, scaler, max_norm")
    .replace("loss.backward()", "scaler.scale(loss).backward()\n        scaler.unscale_(optimizer)")
    .replace("optimizer.step()", "scaler.step(optimizer)\n        scaler.update()"),
    "main.py": MAIN.replace(
        "SGD(model.parameters(), lr=0.1)\n", 'SGD(model.parameters(), lr=0.1)\n    scaler = torch.amp.GradScaler("cpu")\n'
    ).replace("batches, optimizer)", "batches, optimizer, scaler)"),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two files, of which each has a part in a defect of one."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "engine.py").write_text(ENGINE)
    (tmp_path / "main.py").write_text(MAIN)
    return tmp_path


def mended(project: Path, *names: str, dry: bool = False) -> list[Outcome]:
    job = Job(RULES, mend=True, unsafe=True, dry=dry, roots=[project])
    return work([project / name for name in names or ("engine.py", "main.py")], job)


def texts(project: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(project.glob("*.py"))}


def reasons(outcomes: list[Outcome]) -> list[str]:
    return [each.reason for outcome in outcomes for each in (outcome.mended.withdrawn if outcome.mended else ())]


@pytest.mark.parametrize("names", [("engine.py", "main.py"), ("main.py", "engine.py")])
def test_both_files_are_mended(project: Path, names: tuple[str, ...]) -> None:
    """Whichever is read first; a second run changes nothing."""
    outcomes = mended(project, *names)
    assert texts(project) == HANDED
    assert [outcome.report.findings for outcome in outcomes] == [(), ()]
    assert {outcome.changed for outcome in outcomes} == {True}
    assert {outcome.changed for outcome in mended(project, *names)} == {False}


def test_what_both_files_become_runs(project: Path) -> None:
    mended(project)
    assert subprocess.run([sys.executable, "main.py"], cwd=project, capture_output=True, check=False).returncode == 0


def test_nothing_is_written_where_it_is_only_shown(project: Path) -> None:
    assert {outcome.changed for outcome in mended(project, dry=True)} == {True}
    assert texts(project) == {"engine.py": ENGINE, "main.py": MAIN}


def test_a_file_that_is_not_asked_for_is_not_changed(project: Path) -> None:
    (reason,) = reasons(mended(project, "engine.py"))
    assert reason == f"a part of it is in {project / 'main.py'}, which is not to be mended here"
    assert texts(project) == {"engine.py": ENGINE, "main.py": MAIN}


def test_where_one_file_cannot_be_written_neither_is(project: Path) -> None:
    (project / "main.py").chmod(0o444)
    assert "may only be read" in reasons(mended(project))[0]
    assert texts(project) == {"engine.py": ENGINE, "main.py": MAIN}


def test_an_editor_is_offered_a_repair_that_holds_in_both_files(project: Path) -> None:
    """By the text that is being written, and by the file that is on disk."""
    engine = project / "engine.py"
    desk = Desk({engine: b"# written just now\n" + ENGINE.encode()})
    (finding,) = desk.report(engine).findings
    assert finding.repair is not None
    assert {edit.span.path for edit in finding.repair.edits} == {str(engine), str(project / "main.py")}
    assert desk.mends(engine, finding)
    assert texts(project) == {"engine.py": ENGINE, "main.py": MAIN}


def test_what_does_not_hold_in_one_of_them_is_not_offered(project: Path) -> None:
    finding = found(project)
    assert finding.repair is not None
    half = replace(
        finding.repair, edits=tuple(each for each in finding.repair.edits if "SGD" in each.content or "," in each.content)
    )
    assert not holds_together(replace(finding, repair=half), Job([finding.rule], mend=True, unsafe=True), {})


def found(project: Path) -> Finding:
    outcomes = work([project / "engine.py"], Job(RULES))
    (finding,) = outcomes[0].report.findings
    return finding


def test_a_function_that_others_call_is_left_as_it_is(project: Path) -> None:
    assert found(project).repair is not None
    (project / "other.py").write_text("from engine import train_one_epoch as epoch_of\n")
    repair = found(project).repair
    assert repair is not None
    assert (repair.applicability, repair.message[-27:]) == ("display", "where `scaler` has no value")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("optimizer, max_norm=1.0", "optimizer, *rest, max_norm=1.0"),
        ("optimizer, max_norm=1.0", "optimizer, max_norm=1.0, **rest"),
        ("def train_one", "EPOCHS = {'of one': 'train_one_epoch'}\n\n\ndef train_one"),
    ],
    ids=["takes any", "takes any by name", "called by its name"],
)
def test_a_function_that_is_called_in_a_way_of_its_own_is_left_as_it_is(project: Path, old: str, new: str) -> None:
    (project / "engine.py").write_text(ENGINE.replace(old, new))
    repair = found(project).repair
    assert repair is not None
    assert repair.applicability == "display"


def test_a_name_that_is_taken_is_not_given_to_a_scaler(project: Path) -> None:
    (project / "main.py").write_text(MAIN.replace("    x =", "    scaler = nn.Identity()\n    x ="))
    finding = found(project)
    assert (finding.repair, finding.unmended) == (None, "the scaler has no name there")


GIVEN = {
    "by position": ("def update(optimizer):", "update(optimizer)", "def update(optimizer, scaler):", "update(optimizer, scaler)"),
    "by name": (
        "def update(optimizer):",
        "update(optimizer=optimizer)",
        "def update(optimizer, scaler):",
        "update(optimizer=optimizer, scaler=scaler)",
    ),
    "before what need not be given": (
        "def update(optimizer, log=None):",
        "update(optimizer, log=print)",
        "def update(optimizer, scaler, log=None):",
        "update(optimizer, scaler, log=print)",
    ),
}


@pytest.mark.parametrize(("head", "call", "head_after", "call_after"), GIVEN.values(), ids=GIVEN)
def test_how_it_is_handed_in(tmp_path: Path, head: str, call: str, head_after: str, call_after: str) -> None:
    program = f"""\
import torch
from torch import nn

def main():
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu")
    for x in torch.randn(4, 8, 4):
        optimizer.zero_grad()
        scaler.scale(model(x).sum()).backward()
        {call}
        scaler.update()

{head}
    optimizer.step()

main()
"""
    (tmp_path / "train.py").write_text(program)
    mended(tmp_path, "train.py")
    after = program.replace(head, head_after).replace(call, call_after).replace("optimizer.step()", "scaler.step(optimizer)")
    assert (tmp_path / "train.py").read_text() == after


def test_the_object_is_used_where_it_is_known_though_the_defect_is_in_another_file(tmp_path: Path) -> None:
    """Nothing need be handed in where the statement can stand before the call."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "limits.py").write_text(
        "from torch import nn\n\n\ndef limit(model):\n    nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n"
    )
    (tmp_path / "main.py").write_text(
        "import torch\nfrom torch import nn\n\nfrom limits import limit\n\nmodel = nn.Linear(4, 2)\n"
        'optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nscaler = torch.amp.GradScaler("cpu")\n'
        "for x in torch.randn(4, 8, 4):\n    optimizer.zero_grad()\n"
        "    scaler.scale(model(x).sum()).backward()\n    limit(model)\n"
        "    scaler.step(optimizer)\n    scaler.update()\n"
    )
    work([tmp_path / "limits.py", tmp_path / "main.py"], Job(RULES, mend=True, roots=[tmp_path]))
    assert "    scaler.unscale_(optimizer)\n    limit(model)\n" in (tmp_path / "main.py").read_text()

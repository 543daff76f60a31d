"""Checkpoints that lack a state, or that a program takes too little from: mended where they are saved and loaded."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
import torch

from loopcheck import packs
from loopcheck.check import check_source
from loopcheck.job import Job, work
from loopcheck.write.apply import mend

RULES = [rule for rule in packs.rules() if rule.name in ("incomplete-checkpoint", "partial-restore")]

HEAD = """\
import sys
import torch
from torch import nn

def epoch_of(model, optimizer):
    for x in torch.ones(2, 4, 4):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), torch.zeros(4, dtype=torch.long)).backward()
        optimizer.step()

"""

EPOCHS = """\
def main(resume):
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)
    start = 0
    if resume:
        start = load(model, optimizer, scheduler)
    for epoch in range(start, 3):
        epoch_of(model, optimizer)
        scheduler.step()
        save(model, optimizer, scheduler, epoch)

"""

SAVED = {
    "a row of its own, and quotes as they are": (
        """\
        def save(model, optimizer, scheduler, epoch):
            torch.save({
                'epoch': epoch + 1,
                'optim_state_dict' : optimizer.state_dict(),
                'model': model.state_dict(),
            }, 'last.pt')

        def load(model, optimizer, scheduler):
            state = torch.load('last.pt')
            model.load_state_dict(state['model'])
            if 'optim_state_dict' in state:
                optimizer.load_state_dict(state['optim_state_dict'])
            return state['epoch']

        """,
        [
            "+        'scheduler': scheduler.state_dict(),",
            "+        scheduler.load_state_dict(state['scheduler'])",
        ],
    ),
    "after the last one of a row, under a key like its": (
        """\
        def save(model, optimizer, scheduler, epoch):
            states = {"net": model.state_dict(),
                      "optimizer_state": optimizer.state_dict()}
            torch.save({"epoch": epoch, **states}, "last.pt")

        def load(model, optimizer, scheduler):
            state = torch.load("last.pt")
            model.load_state_dict(state["net"])
            optimizer.load_state_dict(state.get("optimizer_state"))
            return state["epoch"] + 1

        """,
        [
            '-              "optimizer_state": optimizer.state_dict()}',
            '+              "optimizer_state": optimizer.state_dict(),',
            '+              "scheduler_state": scheduler.state_dict()}',
            '+    scheduler.load_state_dict(state["scheduler_state"])',
        ],
    ),
    "as an argument": (
        """\
        def save(model, optimizer, scheduler, epoch):
            torch.save(dict(model=model.state_dict(), optimizer=optimizer.state_dict()), "last.pt")

        def load(model, optimizer, scheduler):
            state = torch.load("last.pt")
            model.load_state_dict(state["model"])
            optimizer.load_state_dict(state["optimizer"])
            return 1

        """,
        [
            '-    torch.save(dict(model=model.state_dict(), optimizer=optimizer.state_dict()), "last.pt")',
            "+    torch.save(dict(model=model.state_dict(), optimizer=optimizer.state_dict(), "
            'scheduler=scheduler.state_dict()), "last.pt")',
            '+    scheduler.load_state_dict(state["scheduler"])',
        ],
    ),
    "a statement further": (
        """\
        def save(model, optimizer, scheduler, epoch):
            state = {"model": model.state_dict()}
            state["optimizer"] = optimizer.state_dict()
            torch.save(state, "last.pt")

        def load(model, optimizer, scheduler):
            return 1

        """,
        ['+    state["scheduler"] = scheduler.state_dict()'],
    ),
}


def changes(before: str, unsafe: bool = True) -> list[str]:
    """The lines that a run of fixes takes and gives."""
    after = mend(before.encode(), "train.py", RULES, unsafe=unsafe).data.decode()
    old, new = before.splitlines(), after.splitlines()
    gone = [f"-{line}" for line in old if line not in new]
    return [*gone, *(f"+{line}" for line in new if line not in old)]


@pytest.mark.parametrize(("program", "lines"), SAVED.values(), ids=SAVED)
def test_what_is_not_saved_is_saved_and_loaded(program: str, lines: list[str]) -> None:
    assert changes(f"{HEAD}{dedent(program)}{EPOCHS}main('resume' in sys.argv)\n") == lines


def test_nothing_is_saved_anew_without_being_asked_for() -> None:
    program, _ = SAVED["a statement further"]
    assert changes(f"{HEAD}{dedent(program)}{EPOCHS}main(False)\n", unsafe=False) == []


def fixes_of(program: str) -> list[str]:
    """What is said of the fix of each finding."""
    findings = check_source(f"{HEAD}{dedent(program)}".encode(), "train.py", RULES).findings
    return [f"{finding.rule.name}: {finding.repair.message if finding.repair else finding.unmended}" for finding in findings]


LOOP = """\
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)
{0}
for epoch in range(3):
    epoch_of(model, optimizer)
    scheduler.step()
    {1}
"""

LEFT = {
    "who saves does not know it": (
        """\
        def save(model, optimizer):
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, "last.pt")

        def main():
            model = nn.Linear(4, 2)
            optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
            scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)
            for epoch in range(3):
                epoch_of(model, optimizer)
                scheduler.step()
                save(model, optimizer)

        main()
        """,
        "incomplete-checkpoint: `scheduler` is not known there",
    ),
    "the key is another's": (
        LOOP.format(
            'torch.save({"model": model.state_dict(), "scheduler": optimizer.state_dict()}, "first.pt")',
            'torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, "last.pt")',
        ),
        "incomplete-checkpoint: another state has that key",
    ),
    "it is put together elsewhere": (
        LOOP.format(
            "def states():\n    return [model.state_dict(), optimizer.state_dict()]\n", 'torch.save(states(), "last.pt")'
        ),
        "incomplete-checkpoint: what is saved is put together out of sight",
    ),
    "who loads does not know it": (
        LOOP.format(
            "def load(model):\n"
            '    state = torch.load("last.pt")\n'
            '    model.load_state_dict(state["model"])\n'
            '    return state["epoch"]\n'
            "\n"
            "def main():\n"
            "    inner = nn.Linear(4, 2)\n"
            "    adam = torch.optim.SGD(inner.parameters(), 0.1, momentum=0.9)\n"
            "    for epoch in range(load(inner), 3):\n"
            "        epoch_of(inner, adam)\n"
            '        torch.save({"model": inner.state_dict(), "optimizer": adam.state_dict(), "epoch": epoch}, "last.pt")\n'
            "main()\n",
            'torch.save([model.state_dict(), optimizer.state_dict(), scheduler.state_dict()], "other.pt")',
        ),
        "partial-restore: `adam` is not known there",
    ),
}


@pytest.mark.parametrize(("program", "said"), LEFT.values(), ids=LEFT)
def test_what_cannot_be_addressed_is_left_to_a_person(program: str, said: str) -> None:
    assert fixes_of(program) == [said]


OPTIONAL = """\
def main(amp):
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2) if amp else None
    if "resume" in sys.argv:
        state = torch.load("last.pt")
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
    for x in torch.ones(4, 4, 4):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), torch.zeros(4, dtype=torch.long))
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, "last.pt")
    return scaler.get_scale() if scaler else 0.0
"""


def test_what_is_there_in_some_runs_is_saved_and_loaded_in_those(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = f"{HEAD}{OPTIONAL}\nif __name__ == '__main__':\n    main('amp' in sys.argv)\n"
    mended = mend(before.encode(), "train.py", RULES, unsafe=True)
    assert [finding.rule.name for finding in mended.applied] == ["incomplete-checkpoint"]
    assert mended.report.findings == ()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["train.py"])
    scope: dict[str, object] = {"__name__": "train"}
    exec(compile(mended.data, "train.py", "exec"), scope)
    main = scope["main"]
    assert callable(main)
    assert main(False) == 0.0
    assert torch.load("last.pt")["scaler"] is None
    first = main(True)
    monkeypatch.setattr("sys.argv", ["train.py", "resume"])
    assert main(True) > first > 8.0


WRITES = """\
import torch
import torch.distributed as dist


def write(*args, **kwargs):
    if dist.get_rank() == 0:
        torch.save(*args, **kwargs)


def step(model, optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_a_state_is_saved_where_the_dictionary_is_though_another_file_writes_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "files.py").write_text(WRITES)
    script = tmp_path / "train.py"
    saving = 'write({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, "last.pt")'
    script.write_text(f"{HEAD}from files import write\n\n{LOOP.format('', saving)}")
    (outcome,) = work([script], Job(RULES, mend=True, unsafe=True))
    assert outcome.report.findings == ()
    assert '            "scheduler": scheduler.state_dict(),\n        },\n' in script.read_text()

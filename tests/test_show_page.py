"""The page of `loopcheck show`: what is drawn is what is understood, and what is found is marked in it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner, Result
from test_audit_page import Page

from loopcheck.cli import program
from loopcheck.read.program import Program, Reader

HEAD = """
import torch
from torch import nn
from torch.utils.data import DataLoader
from cases import clipped, train_set, val_set
model = nn.Sequential(nn.Linear(2, 2), nn.Dropout())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
loader, val_loader = DataLoader(train_set, shuffle=True), DataLoader(val_set)
"""
TRAIN = """
for x, y in loader:
    optimizer.zero_grad()
    criterion(model(x), y).backward()
    optimizer.step()
    if clipped:
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    else:
        nn.utils.clip_grad_value_(model.parameters(), 1.0)
"""
EVALUATE = """
correct = 0
for x, y in val_loader:
    correct += (model(x).argmax(1) == y).sum().item()
"""


def show(folder: Path, **files: str) -> Result:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(dedent(text), encoding="utf-8")
    return CliRunner().invoke(program, ["show", str(folder), "--html", str(folder / "page.html")], catch_exceptions=False)


@pytest.fixture
def page(tmp_path: Path) -> Page:
    told = show(tmp_path, train=HEAD + TRAIN + EVALUATE, other=HEAD + TRAIN, empty="print('<b>')\n")
    assert told.exit_code == 0
    return Page((tmp_path / "page.html").read_text(encoding="utf-8"))


def test_each_loop_is_a_ring_and_every_event_a_stop(page: Page) -> None:
    told = [attributes["aria-label"] or "" for attributes in page.all("svg")]
    assert [each.split(", line")[0] for each in told] == ["training loop", "training loop", "evaluation pass"]
    order = "zero_grad, then forward, then backward, then step, then clip (wrong here), then clip (wrong here)"
    assert all(order in each for each in told[:2])
    assert "forward (wrong here)" in told[2]


def test_links_lead_to_what_was_found_and_to_nothing_else(page: Page) -> None:
    names = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(names) == len(set(names))
    links = {(link["href"] or "")[1:] for link in page.all("a")}
    assert links <= set(names)
    found = {attributes["id"] for attributes in page.all("article")}
    assert {each for each in found if each and each.startswith("f-LC101")} <= links


def test_files_without_a_loop_have_no_place(page: Page) -> None:
    heads = [attributes["id"] for attributes in page.all("section")]
    assert heads == ["file-1", "file-2", "findings"]
    assert "else" in page.words


def test_a_page_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "page.html").mkdir()
    told = CliRunner().invoke(program, ["show", str(tmp_path), "--html", str(tmp_path / "page.html")])
    assert told.exit_code != 0


@pytest.mark.parametrize(("files", "processes"), [(2, 1), (8, 2)])
def test_what_is_drawn_and_judged_is_read_once(
    files: int, processes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = tmp_path / "noted.txt"
    reads = Reader.program

    def note(reader: Reader) -> Program:
        with noted.open("a", encoding="utf-8") as file:
            file.write(f"{Path(reader.source.path).name}\n")
        return reads(reader)

    monkeypatch.setattr(Reader, "program", note)
    monkeypatch.setattr("loopcheck.outline.cores", lambda: processes)
    assert show(tmp_path, **{f"train{number}": HEAD + TRAIN for number in range(files)}).exit_code == 0
    assert sorted(noted.read_text().split()) == [f"train{number}.py" for number in range(files)]

"""Functions of a project that its settings say are the same as known ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from samples import BAD, RULES

from loopcheck import packs
from loopcheck.cli import program
from loopcheck.read import own, vocabulary

CLIP = "torch.nn.utils.clip_grad_norm_"
OWN = BAD.replace("from torch import nn\n", "from torch import nn\nfrom mylib.optim import shrink\n").replace(
    "nn.utils.clip_grad_norm_(model.parameters(), 1.0)", "shrink(model.parameters(), 1.0)"
)

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Run]:
    monkeypatch.setattr(packs, "rules", lambda: RULES)
    monkeypatch.chdir(tmp_path)
    yield lambda *arguments: CliRunner().invoke(program, ["check", "--output-format", "concise", *arguments])
    vocabulary.learn({})


def says(same_as: Mapping[str, str]) -> None:
    lines = [f'"{name}" = "{known}"' for name, known in same_as.items()]
    Path("loopcheck.toml").write_text("\n".join(["[same-as]", *lines, ""]))


def test_a_function_out_of_sight_clips_as_it_is_said_to(run: Run) -> None:
    Path("train.py").write_text(OWN)
    assert run().exit_code == 0, "nothing is known of it"
    says({"mylib.optim.shrink": CLIP})
    found = run()
    assert (found.exit_code, "LC101" in found.stdout, "`shrink(model.parameters(), 1.0)` limits" in found.stdout) == (
        1,
        True,
        True,
    )
    mended = run("--fix")
    assert mended.exit_code == 0
    says({"mylib.optim.shrinks": CLIP})
    Path("train.py").write_text(OWN)
    assert run().exit_code == 0, "another one is another one, and what was kept of it before is not this"


def test_a_module_of_the_project_is_read_as_is_said(run: Run) -> None:
    """Its own code may be anything: here what clips is out of sight, behind a name without a word of training."""
    Path("mylib").mkdir()
    Path("mylib/__init__.py").touch()
    Path("mylib/optim.py").write_text("import native\n\ndef shrink(p, n):\n    native.shrink(p, n)\n")
    Path("train.py").write_text(OWN)
    says({"mylib.optim.shrink": CLIP})
    assert "LC101" in run().stdout
    says({"native.shrink": CLIP})
    assert "mylib/optim.py:4:5: bug[LC101]" in run().stdout


def test_a_class_is_the_optimizer_that_it_is_said_to_be(run: Run) -> None:
    """Without it, and with a class of another kind, nothing is known of the step."""
    text = BAD.replace("torch.optim.SGD", "mylib.Fast").replace("import torch\n", "import torch\nimport mylib\n", 1)
    text = text.replace("optimizer", "engine")
    Path("train.py").write_text(text)
    assert run().exit_code == 0
    says({"mylib.Fast": "torch.optim.SGD"})
    assert "LC101" in run().stdout


def test_it_is_drawn_as_it_is_read(run: Run) -> None:
    Path("train.py").write_text(OWN)
    says({"mylib.optim.shrink": CLIP})
    drawn = CliRunner().invoke(program, ["show", "train.py"]).stdout
    assert ["12", "clip", "model"] in [line.split()[:3] for line in drawn.splitlines()]


def test_several_processes_read_alike(run: Run) -> None:
    says({"mylib.optim.shrink": CLIP})
    for number in range(12):
        Path(f"train{number}.py").write_text(OWN)
    assert run("--jobs", "2").stdout.count("[LC101]") == 12


def test_what_is_not_known_is_said(run: Run) -> None:
    Path("train.py").write_text(OWN)
    says({"mylib.optim.shrink": "torch.nn.utils.clip_grad_normal_"})
    wrong = run()
    assert wrong.exit_code == 2
    assert "of which nothing is known; did you mean `torch.nn.utils.clip_grad_norm_`?" in wrong.stderr
    assert own.known() == {}

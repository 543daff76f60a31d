"""An audit beside TrainCheck: five wrong programs, what each of the two says of them, and what that costs.

    python tests/beside.py PYTHON            every program; PYTHON has traincheck, torch and what loopcheck imports
    python tests/beside.py PYTHON late-clip  one of them

TrainCheck learns what holds in a correct run and tells what does not in another; it is given the best there is to learn from, the
same program without the mistake. What the correct program violates with another seed is told apart. The table is Markdown; times
are seconds of CPU, those of loading torch among them.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any

ROOT = Path(__file__).parent.parent
CORRECT = """
    import torch
    from torch import nn
    from torch.utils.data import DataLoader, TensorDataset

    torch.manual_seed(0)
    x = torch.randn(128, 8)
    y = x.sum(1, keepdim=True) + 0.1 * torch.randn(128, 1)
    train = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    held = DataLoader(TensorDataset(x[:32], y[:32]), batch_size=16)

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1))
            self.head = nn.Linear(16, 1)

        def forward(self, x):
            return self.head(self.body(x))

    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 100)
    loss_of = nn.MSELoss()
    for epoch in range(4):
        model.train()
        for a, b in train:
            optimizer.zero_grad()
            loss = loss_of(model(a), b)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
        model.eval()
        with torch.no_grad():
            print(epoch, sum(loss_of(model(a), b).item() for a, b in held))
"""
LINE = " " * 12
CLIP, STEP = f"{LINE}nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n", f"{LINE}optimizer.step()\n"
SCHEDULE = f"{LINE}scheduler.step()\n"
WRONG: dict[str, Sequence[tuple[str, str]]] = {
    "no-zero-grad": [(f"{LINE}optimizer.zero_grad()\n", "")],
    "late-clip": [(CLIP + STEP, STEP + CLIP)],
    "eval-stays": [(" " * 8 + "model.train()\n", ""), ("loss_of = nn.MSELoss()", "loss_of = nn.MSELoss(); model.train()")],
    "scheduler-first": [(STEP + SCHEDULE, SCHEDULE + STEP)],
    "layer-left-out": [("SGD(model.parameters()", "SGD(model.body.parameters()")],
}
OTHER_SEED = "another-seed"


class Bench:
    """A folder with the programs, and what was run in it."""

    def __init__(self, folder: Path, python: str) -> None:
        self._folder = folder
        self._python = python
        self._known: list[str] = []
        self._checking = 0.0

    def learn(self) -> float:
        """Have TrainCheck learn from the correct program; the seconds that it takes."""
        self._write("correct", CORRECT)
        seconds = self._run(self._tool("collect"), "-p", "correct.py", "--models-to-track", "model", "--output-dir", "t")[1]
        seconds += self._run(self._tool("infer"), "-f", "t", "-o", "invariants.json")[1]
        self._write(OTHER_SEED, CORRECT.replace("seed(0)", "seed(7)"))
        self._known, self._checking = self._violated(OTHER_SEED)
        return seconds

    def row(self, name: str) -> tuple[str, ...]:
        """What is told of a program: that by TrainCheck as it is, and without what the other seed violates, too; by an audit."""
        text = CORRECT if name in WRONG else CORRECT.replace("seed(0)", "seed(7)")
        for old, new in WRONG.get(name, ()):
            assert text.count(old) == 1
            text = text.replace(old, new)
        self._write(name, text)
        violated, checking = self._violated(name) if name in WRONG else (self._known, self._checking)
        more = [each for each in violated if each not in self._known]
        words = ("audit", "--min-confidence", "low", "--output-format", "json", f"{name}.py")
        said, auditing = self._run(self._python, "-m", "loopcheck", *words)
        start = said.index("[\n") if "[\n" in said else said.index("[]")
        found: list[dict[str, Any]] = json.JSONDecoder().raw_decode(said[start:])[0]
        told = "; ".join(f"{each['code']} {each['run'].partition(':')[0]} ({each['confidence']})" for each in found) or "nothing"
        alone = self._run(self._python, f"{name}.py")[1]
        return name, f"{alone:.1f}", told, f"{auditing:.1f}", str(len(violated)), str(len(more)), f"{checking:.1f}"

    def _violated(self, name: str) -> tuple[list[str], float]:
        collected = ("--models-to-track", "model", "-i", "invariants.json", "--output-dir", f"t-{name}")
        seconds = self._run(self._tool("collect"), "-p", f"{name}.py", *collected)[1]
        checked = ("-i", "invariants.json", "-o", f"r-{name}", "--no-html-report")
        seconds += self._run(self._tool("check"), "-f", f"t-{name}", *checked)[1]
        (log,) = self._folder.glob(f"r-{name}/*/failed.log")
        return [json.dumps(each["invariant"]["params"], sort_keys=True) for each in _records(log.read_text())], seconds

    def _tool(self, name: str) -> str:
        return str(Path(self._python).parent / f"traincheck-{name}")

    def _write(self, name: str, text: str) -> None:
        (self._folder / f"{name}.py").write_text(dedent(text), encoding="utf-8")

    def _run(self, *command: str) -> tuple[str, float]:
        """What it says on stderr, and its seconds of CPU."""
        path = os.pathsep.join([str(ROOT / "src"), str(ROOT / "rules")])
        env = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.run(command, cwd=self._folder, env=env, capture_output=True, text=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return process.stderr, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def _records(text: str) -> Iterator[dict[str, Any]]:
    """JSON, one after the other."""
    text = text.strip()
    while text:
        record, end = json.JSONDecoder().raw_decode(text)
        yield record
        text = text[end:].strip()


def main(python: str, names: Sequence[str]) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), python)
        print(f"TrainCheck learns for {bench.learn():.0f} s")
        head = ("program", "alone", "an audit says", "s", "invariants violated", "not with another seed", "s")
        for row in (head, ("---",) * len(head)):
            print(f"| {' | '.join(row)} |", flush=True)
        for name in names or [OTHER_SEED, *WRONG]:
            print(f"| {' | '.join(bench.row(name))} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

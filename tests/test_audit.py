"""A run of one's own, recorded and judged: the program is not disturbed, and the report says what its source and it have done."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from samples import heeds_interrupts

from loopcheck.auditing import launch
from loopcheck.auditing.report import told
from loopcheck.loop import Event
from loopcheck.record.run import Run
from loopcheck.record.site import Site

ROOT = Path(__file__).parent.parent
Program = Callable[..., Path]

LOOP = """
import sys, torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.Dropout(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
def train(steps, clip=False, clear=True):
    for i in range(steps):
        if clear:
            optimizer.zero_grad()
        loss = model(torch.randn(8, 3)).pow(2).mean()
        loss.backward()
        optimizer.step()
        if clip:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
"""
CLIP, BACKWARD = (
    next(row for row, line in enumerate(LOOP.splitlines(), 1) if word in line) for word in ("clip_grad", "backward")
)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    """Writes a script into an empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)

    def write(text: str, name: str = "train.py") -> Path:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
        return path

    return write  # type: ignore[return-value]


def audit(*words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "loopcheck", "audit", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **(env or {})})


def found(process: subprocess.CompletedProcess[str]) -> dict[tuple[str, int], str]:
    """What a report in JSON says of the run, by rule and row."""
    start = process.stderr.index("[\n") if "[\n" in process.stderr else process.stderr.index("[]")
    entries: list[dict[str, Any]] = json.JSONDecoder().raw_decode(process.stderr[start:])[0]
    return {(entry["name"], entry["location"]["row"]): entry["run"] for entry in entries}


def judged(*words: str) -> dict[tuple[str, int], str]:
    return found(audit("--output-format", "json", "--min-confidence", "low", *words))


# What is said


def test_what_the_source_says_is_confirmed_contradicted_or_not_reached(program: Program) -> None:
    program(LOOP + "train(25, clip='clip' in sys.argv, clear='clear' in sys.argv)")
    clip, clear = ("clip-after-step", CLIP), ("missing-zero-grad", BACKWARD)
    both = judged("train.py", "clip", "clear")
    assert both[clip] == "confirmed after step 1"
    assert clear not in both
    neither = judged("--explain-silence", "train.py")
    assert neither[clip].startswith("not reached")
    assert neither[clear].startswith("seen only in the run, at step 2; the source is silent: on some ways through the code")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="before 3.11 Python does not tell columns")
def test_of_two_calls_in_a_statement_the_one_that_ran_is_confirmed(program: Program) -> None:
    program(
        LOOP
        + """
def clip(first):
    return nn.utils.clip_grad_norm_(model.parameters(), 1.0) if first else nn.utils.clip_grad_value_(model.parameters(), 1.0)
for i in range(25):
    train(1)
    clip(first="first" in sys.argv)
"""
    )
    process = audit("--output-format", "json", "train.py")
    entries = json.JSONDecoder().raw_decode(process.stderr[process.stderr.index("[\n") :])[0]
    first, second = (each["run"] for each in entries if each["name"] == "clip-after-step")
    assert first.startswith("not reached")
    assert second.startswith("confirmed")


def test_what_one_change_mends_is_one_in_a_run_as_well(program: Program) -> None:
    program(
        """
        import torch
        from torch import nn
        class Judge(nn.Module):
            def __init__(self):
                super().__init__()
                self.body = nn.Linear(3, 1)
            def forward(self, x):
                return torch.sigmoid(self.body(x))
        judge = Judge()
        optimizer = torch.optim.SGD(judge.parameters(), lr=0.1)
        for i in range(25):
            optimizer.zero_grad()
            real, fake = torch.randn(8, 3), torch.randn(8, 3)
            first = nn.functional.binary_cross_entropy_with_logits(judge(real), torch.ones(8, 1))
            second = nn.functional.binary_cross_entropy_with_logits(judge(fake), torch.zeros(8, 1))
            (first + second).backward()
            optimizer.step()
        """
    )
    assert {row: run[:9] for (_, row), run in judged("train.py").items()} == {15: "confirmed"}


def test_what_only_the_end_shows_is_confirmed_as_far_as_it_was_recorded(program: Program) -> None:
    """Nothing is said of the like where the source says nothing: here the first update is skipped, and all is right."""
    program(
        LOOP
        + """
from torch.utils.data import DataLoader
loader = DataLoader([float(i) for i in range(12)], batch_size=1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.9)
for epoch in range(4):
    if "late" not in sys.argv:
        scheduler.step()
    for x in loader:
        train(1)
        if "late" in sys.argv and (epoch or x.item()):
            scheduler.step()
"""
    )
    row = LOOP.count("\n") + 7
    assert (
        judged("train.py")[("scheduler-before-optimizer", row)] == "confirmed after step 12, epoch 1, as far as it was recorded"
    )
    assert [at for name, at in judged("train.py", "late") if name == "scheduler-before-optimizer"] == [row]  # by its source


def test_where_the_run_does_otherwise_one_is_less_sure(program: Program) -> None:
    program(
        """
        import torch
        from torch import nn
        torch.manual_seed(0)
        model = nn.Linear(3, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        def clear(): globals()["optimizer"].zero_grad()
        for i in range(5):
            loss = model(torch.randn(8, 3)).pow(2).mean()
            loss.backward()
            optimizer.step()
            getattr(optimizer, "zero" + "_grad")()
        """
    )
    process = audit("--output-format", "json", "train.py")
    if said := found(process):
        assert said == {("missing-zero-grad", 10): said[("missing-zero-grad", 10)]}
        assert "contradicted" in said[("missing-zero-grad", 10)]
        assert json.loads(process.stderr)[0]["confidence"] == "medium"


def test_what_only_the_end_decides_is_not_contradicted_before(program: Program) -> None:
    program(
        """
        import torch
        from torch import nn
        model = nn.Linear(3, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
        for i in range(8):
            optimizer.zero_grad()
            model(torch.randn(8, 3)).pow(2).mean().backward()
            scheduler.step()
            optimizer.step()
        """
    )
    late = ("scheduler-before-optimizer", 10)
    assert judged("--steps", "4", "train.py")[late] == "confirmed after step 1, as far as it was recorded"
    assert judged("train.py")[late].startswith("confirmed")


def test_what_the_run_did_otherwise_contradicts_once_its_end_was_seen(program: Program) -> None:
    program(
        """
        import gc, operator, torch
        from torch import nn
        model = nn.Linear(3, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
        found = [each for each in gc.get_objects() if type(each).__name__ == "SGD"]
        operator.methodcaller("step")(found[0])  # which the source does not show
        for i in range(8):
            optimizer.zero_grad()
            model(torch.randn(8, 3)).pow(2).mean().backward()
            scheduler.step()
            optimizer.step()
        """
    )
    late = ("scheduler-before-optimizer", 12)
    assert judged("--steps", "4", "train.py")[late].startswith("not reached")
    assert judged("train.py")[late].startswith("contradicted")


def test_the_report_is_the_linters(program: Program) -> None:
    program(LOOP + "train(5, clip=True)")
    shown = audit("--select", "clip-after-step", "train.py").stderr
    assert f"train.py:{CLIP}:13" in shown
    assert "step 1" in shown
    assert "= run: confirmed after step 1" in shown
    assert "Recorded 5 optimizer steps. 1 confirmed." in shown
    process = audit("--output", "markdown:report.md", "--output-format", "concise", "train.py")
    assert "clip\\-after\\-step" in Path("report.md").read_text()
    assert "confirmed after step 1" in process.stderr


def test_a_comment_silences_what_only_the_run_shows(program: Program) -> None:
    mark = "loss.backward()  # loopcheck: ignore[missing-zero-grad] -- it is what the lecture shows"
    program(LOOP.replace("loss.backward()", mark) + "train(25, clear=False)")
    process = audit("train.py")
    assert "missing-zero-grad" not in process.stderr
    assert "1 silenced by comments" in process.stderr


def test_settings_hold(program: Program) -> None:
    program(LOOP + "train(5, clip=True)")
    program('[tool.loopcheck]\nignore = ["clip-after-step"]\n', "pyproject.toml")
    assert ("clip-after-step", CLIP) not in judged("train.py")


def test_recording_stops_and_the_program_goes_on(program: Program) -> None:
    program(LOOP + "train(3)\ntrain(40, clip=True)\nprint('all', flush=True)")
    process = audit("--steps", "3", "train.py")
    assert process.stdout == "all\n"
    assert "Recorded 3 optimizer steps, and then let it run on." in process.stderr
    assert "not reached" in process.stderr


def test_two_passes_over_the_data_are_enough(program: Program) -> None:
    program(
        """
        import torch
        from torch import nn
        from torch.utils.data import DataLoader, TensorDataset
        model = nn.Linear(3, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        loader = DataLoader(TensorDataset(torch.randn(30, 3)), batch_size=2)
        for epoch in range(9):
            for x, in loader:
                optimizer.zero_grad()
                model(x).sum().backward()
                optimizer.step()
        """
    )
    assert "Recorded 30 optimizer steps and 2 passes over training data, and then" in audit("train.py").stderr


def test_ranks_make_one_report(program: Program) -> None:
    program(
        """
        import torch, torch.distributed as dist
        from torch import nn
        from torch.utils.data import DataLoader, DistributedSampler, TensorDataset
        dist.init_process_group("gloo")
        torch.manual_seed(0)
        data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
        loader = DataLoader(data, batch_size=8, sampler=DistributedSampler(data), num_workers=1)
        model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
        for epoch in range(3):
            for x, y in loader:
                optimizer.zero_grad()
                nn.functional.mse_loss(model(x), y).backward()
                optimizer.step()
                if dist.get_rank():
                    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        dist.destroy_process_group()
        """
    )
    torchrun = [sys.executable, "-m", "loopcheck", "audit", "--html", "page.html", "-m", "torch.distributed.run"]
    process = subprocess.run([*torchrun, "--nproc-per-node", "2", "train.py"], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    assert "confirmed after step 1, epoch 1, on rank 1 alone" in process.stderr
    assert "confirmed after step 4, epoch 2\n" in process.stderr  # the sampler is not told the epoch, on both
    assert "on each of 2 ranks" in process.stderr
    assert "<h2>Ranks</h2>" in Path("page.html").read_text()


def test_spawned_processes_are_recorded(program: Program) -> None:
    program(LOOP + "if __name__ == '__main__':\n    torch.multiprocessing.spawn(train_in, nprocs=1)\n")
    text = Path("train.py").read_text().replace("def train(", "def train_in(number):\n    train(3, clip=True)\ndef train(")
    program(text)
    assert judged("train.py")[("clip-after-step", CLIP + 2)] == "confirmed after step 1"


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize(
    ("ending", "status", "told"),
    [
        ("import os; os._exit(7)", 7, "Recorded 6 optimizer steps. 1 confirmed."),
        (
            "import os; os.kill(os.getpid(), 9)",
            -9,
            "Recorded 4 optimizer steps. The program was killed: what it did after step 4 is not known. 1 confirmed.",
        ),
    ],
)
def test_who_is_killed_has_left_a_record(program: Program, ending: str, status: int, told: str) -> None:
    program(LOOP + f"train(6, clip=True)\n{ending}")
    process = audit("--select", "clip-after-step", "train.py")
    assert process.returncode == status
    assert told in process.stderr


def test_a_rank_that_is_lost_is_told_of() -> None:
    event = Event("step", (), Site("train.py", 1, "optimizer.step()"))
    runs = [Run([event] * 5, world=3, whole=True), Run([event] * 4, world=3, rank=2)]
    assert told(runs, []) == (
        "Recorded 5 optimizer steps on each of 2 ranks. Rank 2 was killed: what it did after step 4 is not known. "
        "Rank 1 has left no record."
    )


def test_who_only_loads_data_has_nothing_to_tell(program: Program) -> None:
    program(
        """
        import torch
        from torch import nn
        from torch.utils.data import DataLoader
        if __name__ == "__main__":
            model = nn.Linear(3, 1)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            loader = DataLoader(torch.randn(30, 3), batch_size=2, num_workers=1, multiprocessing_context="fork")
            for epoch in range(3):
                for x in loader:
                    optimizer.zero_grad()
                    model(x).sum().backward()
                    optimizer.step()
        """
    )
    (run,) = launch.launch(launch.command(["train.py"], module=False), None).runs
    assert run.stopped == 30


# What is not disturbed


@pytest.mark.parametrize(
    "ending",
    [
        "sys.exit('in words')",
        "model(torch.randn(2, 2))",
        "sys.exit(3)",
    ],
)
def test_exit_code_and_output_are_the_programs(program: Program, ending: str) -> None:
    program(LOOP + f"print(sys.argv, __name__, __file__, sys.path[0], flush=True)\ntrain(3, clip=True)\n{ending}")
    alone = subprocess.run([sys.executable, "train.py", "--x", "-m", "--"], capture_output=True, text=True, check=False)
    process = audit("--output", "json:out.json", "train.py", "--x", "-m", "--")
    assert process.returncode == alone.returncode
    assert process.stdout == alone.stdout
    assert process.stderr.startswith(alone.stderr)
    assert "clip-after-step" in Path("out.json").read_text()


def test_a_module_and_its_arguments(program: Program) -> None:
    program("", "package/__init__.py")
    program(LOOP + "train(2, clip=True)\nprint(sys.argv[1:], __name__, __spec__.name)", "package/train.py")
    process = audit("-m", "package.train", "--epochs", "1")
    assert process.stdout == "['--epochs', '1'] __main__ package.train\n"
    assert f"package/train.py:{CLIP}:13" in process.stderr


def test_fail_on(program: Program) -> None:
    program(LOOP + "train(3, clip='clip' in sys.argv)\nsys.exit(int(sys.argv[1]))")
    assert audit("--fail-on", "bug", "train.py", "0", "clip").returncode == 1
    assert audit("--fail-on", "bug", "train.py", "5", "clip").returncode == 5


def test_what_is_not_there_is_wrong_use(program: Program) -> None:
    process = audit("nowhere.py")
    assert process.returncode == 2
    assert "there is no script `nowhere.py`" in process.stderr


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_a_signal_reaches_the_program_and_ends_both(program: Program) -> None:
    program(
        LOOP
        + """
import signal, time
signal.signal(signal.SIGUSR1, lambda *_: print("heard", flush=True))
train(3, clip=True)
print("ready", flush=True)
time.sleep(60)
time.sleep(60)
"""
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "loopcheck", "audit", "--steps", "2", "train.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heeds_interrupts,
    )
    assert process.stdout
    assert process.stderr
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGUSR1)
    assert process.stdout.readline() == "heard\n"
    process.send_signal(signal.SIGTERM)
    errors = process.stderr.read()
    assert process.wait() == -signal.SIGTERM
    assert "clip-after-step" in errors  # recording was over, and what it had found is told


def test_the_program_goes_on_without_a_recorder_that_fails(program: Program) -> None:
    program(LOOP + "import loopcheck.record.gradients as g\ng.graph.tensors = None\ntrain(3)\nprint('done')")
    process = audit("train.py")
    assert (process.returncode, process.stdout) == (0, "done\n")
    assert "loopcheck failed while it recorded, and the program went on without it: TypeError" in process.stderr


def test_the_next_sitecustomize_is_imported(program: Program, tmp_path: Path) -> None:
    program("print('customized', flush=True)", "own/sitecustomize.py")
    program(LOOP + "import sitecustomize\nprint(sitecustomize.__file__)\ntrain(1)")
    path = os.pathsep.join([str(tmp_path / "own"), os.environ.get("PYTHONPATH", "")])
    process = audit("train.py", env={"PYTHONPATH": path})
    assert process.stdout.splitlines()[-1] == str(tmp_path / "own/sitecustomize.py")


def test_torch_is_needed_by_the_program_alone() -> None:
    text = "import sys, loopcheck.cli.audit, loopcheck.auditing.report, loopcheck.auditing.launch; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout == "False\n"


SAME = ["trainer_class_amp", "gan_two_optimizers", "lbfgs_closure", "rnn_language_model_optimizer"]


@pytest.mark.parametrize("name", SAME)
def test_the_weights_are_the_same_to_the_last_bit(name: str, tmp_path: Path) -> None:
    """And so is all that is printed. At exit every parameter there was is written down, and the random state."""
    customize = tmp_path / "sitecustomize.py"
    customize.write_text(dedent(_WEIGHTS), encoding="utf-8")
    outputs = []
    for command in ([], ["-m", "loopcheck", "audit", "--steps", "7"]):
        path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
        env = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "WEIGHTS": str(tmp_path / f"weights{len(command)}")}
        process = subprocess.run(
            [sys.executable, *command, str(ROOT / f"fixtures/{name}.py")],
            capture_output=True,
            text=True,
            check=True,
            env=env,
            cwd=tmp_path,
        )
        outputs.append((process.stdout, (tmp_path / f"weights{len(command)}").read_text()))
    assert outputs[0] == outputs[1]
    assert len(outputs[0][1].split()) > 2


_WEIGHTS = """
import atexit, os, sys
if "torch" in sys.modules or os.environ.get("WEIGHTS") and "loopcheck" not in sys.orig_argv:
    import random, torch
    random.seed(0)
    kept = []
    torch.nn.modules.module.register_module_parameter_registration_hook(lambda module, name, p: kept.append(p))
    def weights():
        import hashlib
        states = [p.detach() for p in kept if p is not None] + [torch.get_rng_state()]
        found = [hashlib.sha256(each.numpy().tobytes()).hexdigest() for each in states]
        open(os.environ["WEIGHTS"], "w").write(" ".join([*found, str(random.random())]))
    atexit.register(weights)
"""


# From inside


def test_in_a_block(program: Program) -> None:
    program(
        LOOP
        + """
import loopcheck
from torch.nn.utils import clip_grad_norm_
def late(): clip_grad_norm_(model.parameters(), 1.0)
before = nn.Module.__call__, torch.Tensor.backward, clip_grad_norm_
with loopcheck.audit(quiet=True) as done:
    train(4, clip=True)
assert before == (nn.Module.__call__, torch.Tensor.backward, clip_grad_norm_)
train(2)
for finding in done.bugs: print(finding.rule.name, finding.primary.row, finding.run)
with loopcheck.audit(select=["clip-after-step"]) as done:
    for i in range(2):
        optimizer.zero_grad(); model(torch.randn(8, 3)).sum().backward(); optimizer.step(); late()
print(sum(event.verb == "clip" for event in done.run.trace), len(done.bugs))
"""
    )
    process = subprocess.run([sys.executable, "train.py"], capture_output=True, text=True, check=True)
    assert process.stdout == f"clip-after-step {CLIP} confirmed after step 1\n2 1\n"
    assert "clip-after-step" in process.stderr


def test_a_test_that_trains_badly_fails(program: Program) -> None:
    program(LOOP + "def test_bad(loopcheck_audit): train(4, clip=True)\ndef test_good(loopcheck_audit): train(4)", "test_it.py")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    assert re.search(r"1 passed, 1 error|1 passed.*1 error|2 passed, 1 error", said), said
    assert "confirmed after step 1" in said


def test_nothing_of_it_is_loaded_before_it_is_asked_for() -> None:
    text = "import sys, loopcheck; print([m for m in sys.modules if m in ('torch', 'loopcheck.within')])"
    assert subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout == "[]\n"

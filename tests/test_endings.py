"""Where a program ends: what stands before is judged as ever, what stands behind is not."""

from pathlib import Path
from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source
from loopcheck.read.library import Library

ENDS = ["sys.exit()", "sys.exit(0)", "exit(1)", "quit()", "os._exit(0)"]
TRAINING = """
    import os
    import sys

    import torch
    from torch import nn

    def train(model, optimizer, loader):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            {first}
            {second}

    def main(loader):
        model = nn.Linear(4, 2)
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
        {before}
        for epoch in range(3):
            train(model, optimizer, loader)
            {after}
        {end}
        {behind}

    if __name__ == "__main__":
        main(read())
"""
PLAIN = dict.fromkeys(("first", "second", "before", "after", "end", "behind"), "pass") | {"first": "optimizer.step()"}


def told(**parts: str) -> list[str]:
    text = dedent(TRAINING).format(**PLAIN | parts)
    return [each.rule.code for each in check_source(text.encode(), "train.py", packs.rules()).findings]


@pytest.mark.parametrize("end", ENDS)
def test_a_program_that_ends_by_a_call_is_judged_to_there(end: str) -> None:
    clipped = "nn.utils.clip_grad_norm_(model.parameters(), 1.0)"
    assert "LC101" in told(second=clipped, end=end)
    assert "LC101" in told(second=clipped, after=f"if epoch == 2: {end}")


@pytest.mark.parametrize("end", ["pass", *ENDS])
def test_the_end_of_the_run_is_there_too(end: str) -> None:
    """A chain that goes on to the end of the run: the scheduler comes before the first step, and none comes after the last."""
    moved = {"first": "pass", "after": "scheduler.step(); optimizer.step()"}
    assert "LC501" in told(**moved, end=end)


@pytest.mark.parametrize("end", ENDS)
def test_who_gives_up_in_a_loop_has_not_come_to_the_end(end: str) -> None:
    """Else the last step of each window would be one without a scheduler's behind it."""
    window = {"first": f"if lost(y): {end}", "second": "if step(x): optimizer.step()", "after": "scheduler.step()"}
    assert "LC501" not in told(**window)


@pytest.mark.parametrize("end", ENDS)
def test_what_stands_behind_is_not_run(end: str) -> None:
    again = "model(read()).sum().backward(); optimizer.step(); nn.utils.clip_grad_norm_(model.parameters(), 1.0)"
    assert "LC101" in told(behind=again)
    assert "LC101" not in told(end=end, behind=again)
    assert "LC101" in told(end=f"if read(): {end}", behind=again)


@pytest.mark.parametrize("end", ENDS)
def test_what_handles_a_signal_ends_the_program_some_time(end: str) -> None:
    handled = f"import signal; signal.signal(signal.SIGINT, lambda number, frame: {end})"
    clipped = "nn.utils.clip_grad_norm_(model.parameters(), 1.0)"
    assert "LC101" in told(before=handled, second=clipped)


MEASURES = """
    import torch
    from torch import nn
    from torch.utils.data import DataLoader

    def accuracy(model, test_loader):
        model.eval()
        return sum((model(x).argmax(1) == y).sum().item() for x, y in test_loader)

    def main(data):
        model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5))
        model.load_state_dict(torch.load("best.pt"))
        {call}
"""
SCRIPT = '\nif __name__ == "__main__":\n    main(read())\n'


@pytest.mark.parametrize(
    ("call", "rest", "other", "is_told"),
    [
        ("pass  # accuracy(model, DataLoader(data))", SCRIPT, "", False),
        ("accuracy(model, DataLoader(data))", SCRIPT, "", True),
        ("pass", SCRIPT, "from train import accuracy\n\ndef report(model, loader):\n    print(accuracy(model, loader))\n", True),
        ("import threading; threading.Thread(target=accuracy, args=(model, DataLoader(data))).start()", SCRIPT, "", True),
        ("globals()[read()](model, DataLoader(data))", SCRIPT, "", True),
        ("pass", "", "", True),
        ("pass", "\nactions = [accuracy]\n" + SCRIPT, "", True),
    ],
    ids=["left behind", "called", "imported", "handed over", "found by name", "a library", "listed"],
)
def test_a_function_of_a_script_that_nobody_speaks_of(call: str, rest: str, other: str, is_told: bool, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(dedent(MEASURES).format(call=call) + rest)
    (tmp_path / "other.py").write_text(other)
    (tmp_path / "pyproject.toml").write_text("")
    library = Library([script])
    found = check_source(script.read_bytes(), str(script), packs.rules(), library).findings
    assert ("LC602" in [each.rule.code for each in found]) is is_told

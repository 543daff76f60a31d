"""What holds from one pass of a loop to the next: questions that have one answer, and counters."""

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

SCALED = """
    import os
    import torch
    from torch import distributed as dist
    from torch import nn
    from torch.nn.parallel import DistributedDataParallel

    def train(model, optimizer, loader, scaler, args):
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.mse_loss(model(x), y) / 4
            if {asked}:
                scaler.scale(loss).backward()
            else:
                loss.backward()
            if (i + 1) % 4 == 0:
                if {asked}:
                    scaler.step(optimizer)
                    scaler.update()
                else:
                    optimizer.step()
                optimizer.zero_grad()
"""


def told(text: str) -> set[str]:
    return {each.rule.code for each in check_source(dedent(text).encode(), "train.py", packs.rules()).findings}


@pytest.mark.parametrize(
    "asked",
    [
        "scaler.is_enabled()",
        "scaler is not None and scaler.is_enabled()",
        "bool(scaler)",
        "isinstance(model, DistributedDataParallel)",
        "torch.cuda.is_available()",
        "torch.cuda.device_count() > 1",
        "torch.device(args.device).type == 'cuda'",
        "dist.is_initialized()",
        "dist.get_world_size() > 1",
        "os.environ.get('FP16')",
        "args.precision.lower() == 'fp16'",
        "args.get('fp16')",
    ],
)
def test_what_has_one_answer_has_it_on_every_pass_of_a_window(asked: str) -> None:
    assert told(SCALED.format(asked=asked)).isdisjoint({"LC202", "LC209"})


@pytest.mark.parametrize("asked", ["ready(args)", "scaler.get_scale() > 1", "args.queue.get()", "x.is_cuda", "str(y) > str(x)"])
def test_what_may_change_is_asked_anew(asked: str) -> None:
    assert told(SCALED.format(asked=asked)) >= {"LC202", "LC209"}

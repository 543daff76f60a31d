"""PyTorch-Ignite: an Engine, which runs one function on every batch, and the two that it makes by itself."""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.vocabulary import Python, Row

CODE = """
import torch


class Engine:
    def __init__(self, process_function):
        self.process_function = process_function

    def run(self, data=None, max_epochs=None, epoch_length=None, seed=None):
        for epoch in range(max_epochs):
            for batch in data:
                self.process_function(self, batch)


def create_supervised_trainer(model, optimizer, loss_fn, *args, **kwargs):
    def update(engine, batch):
        model.train()
        optimizer.zero_grad()
        loss = loss_fn(model(batch), batch)
        loss.backward()
        optimizer.step()

    return Engine(update)


def create_supervised_evaluator(model, *args, **kwargs):
    def infer(engine, batch):
        model.eval()
        with torch.no_grad():
            model(batch)

    return Engine(infer)
"""
_NAMES = ["Engine", "create_supervised_evaluator", "create_supervised_trainer"]

FUNCTIONS: Mapping[str, Row] = {
    f"{module}.{name}": Python(CODE, name) for module in ("ignite.engine", "ignite.engine.engine") for name in _NAMES
}

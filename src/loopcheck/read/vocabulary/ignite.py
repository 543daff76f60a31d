"""PyTorch-Ignite: an Engine, which runs one function on every batch, and the two that it makes by itself.

Of what is attached to its events, what an epoch begins with is read: there samplers are told the epoch.
"""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.vocabulary import Python, Row

CODE = """
import torch
from ignite.engine import Events


class State:
    def __init__(self):
        self.epoch = 0


class Engine:
    def __init__(self, process_function):
        self.process_function = process_function
        self.first = self.second = self.third = None
        self.state = State()

    def add_event_handler(self, event_name, handler, *args, **kwargs):
        if event_name == Events.EPOCH_STARTED:
            if self.first is None:
                self.first = handler
            elif self.second is None:
                self.second = handler
            else:
                self.third = handler

    def on(self, event_name, *args, **kwargs):
        def attach(handler):
            self.add_event_handler(event_name, handler, *args, **kwargs)
            return handler

        return attach

    def run(self, data=None, max_epochs=None, epoch_length=None, seed=None):
        for epoch in range(max_epochs):
            self.state.epoch = epoch + 1
            if self.first is not None:
                self.first(self)
            if self.second is not None:
                self.second(self)
            if self.third is not None:
                self.third(self)
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

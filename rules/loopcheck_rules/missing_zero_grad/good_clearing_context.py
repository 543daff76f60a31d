"""A context manager of the project clears the parameters that it is given, which a library keeps, before its block."""

from contextlib import contextmanager
from weakref import WeakValueDictionary

import torch
from torch import nn


@contextmanager
def fresh_gradients(parameters):
    for parameter in parameters.values():
        if parameter.grad is not None:
            parameter.grad.zero_()
    yield


def minimize(model, loss, batches):
    parameters = WeakValueDictionary(model.named_parameters())
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in batches:
        with fresh_gradients(parameters):
            value = loss(model(x), y)
            value.backward()
        optimizer.step()
    return value.item()


torch.manual_seed(0)
batches = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(4)]
print(minimize(nn.Linear(4, 1), nn.functional.mse_loss, batches))

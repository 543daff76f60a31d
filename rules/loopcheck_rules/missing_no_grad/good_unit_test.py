"""A unit test of a layer over its options: no data is held out, nothing is measured, a graph does no harm."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Gate(nn.Module):
    def __init__(self, width, bias=True):
        super().__init__()
        self.gate = nn.Linear(width, width, bias=bias)
        self.value = nn.Linear(width, width, bias=bias)

    def forward(self, x):
        return torch.sigmoid(self.gate(x)) * self.value(x)


def test_gate_keeps_the_shape():
    x = torch.randn(4, 16)
    for bias in [False, True]:
        gate = Gate(16, bias=bias)
        out = gate(x)
        assert out.shape == x.shape


def _test_gate_on_long_inputs():
    gate = Gate(16)
    for length in range(20, 24):
        x = torch.randn(length, 16)
        y = gate(x)
        assert y.shape == x.shape


class Learner:
    def validate(self, valid_loader):
        return [self.step(x) for x, _ in valid_loader]


def _test_learner_takes_any_step():
    gate = Gate(16)

    class Doubling(Learner):
        def step(self, x):
            return 2 * gate(x)

    assert len(Doubling().validate([(torch.randn(4, 16), None)])) == 1


def test_gate_learns():
    x = torch.randn(64, 16)
    loader = DataLoader(TensorDataset(x, x.tanh()), batch_size=16, shuffle=True)
    gate = Gate(16)
    optimizer = torch.optim.SGD(gate.parameters(), lr=0.1)
    losses = []
    for _ in range(3):
        for a, b in loader:
            loss = nn.functional.mse_loss(gate(a), b)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    assert losses[-1] < losses[0]


if __name__ == "__main__":
    torch.manual_seed(0)
    test_gate_keeps_the_shape()
    _test_gate_on_long_inputs()
    _test_learner_takes_any_step()
    test_gate_learns()
    print("passed")

"""Functions that drop by the share that a network hands them, each of which is told, or asks, whether it trains."""

import torch
from torch import nn
from torch.nn import functional as F


def told(x, p, training):
    return F.dropout(x, p=p, training=training)


def told_by_a_flag(x, p, deterministic):
    if deterministic:
        return x
    return F.dropout(x, p)


def told_by_a_word(x, p, how):
    return x if how == "whole" else F.dropout(x, p)


def told_by_a_factor(x, p, on):
    p = p * on
    return F.dropout(x, p)


def always(x, p):
    return F.dropout(x, p)


def scaled(x, p):
    """Drops nothing: as much as is left on the average."""
    return x * (1 - p)


def make(training):
    def drop(x, p):
        return F.dropout(x, p, training)

    return drop


class Layers(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = dropout
        self.dropout_off = 0.0
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(6)])
        self.drop = make(False)

    def first(self, x):
        x = told(self.layers[0](x), self.dropout, self.training)
        return told_by_a_flag(x, self.dropout, not self.training)

    def second(self, x):
        x = told_by_a_word(self.layers[1](x), self.dropout, "part" if self.training else "whole")
        return told_by_a_factor(x, self.dropout, float(self.training))

    def third(self, x):
        x = self.layers[2](x)
        if self.training:
            x = always(x, self.dropout)
        return x

    def fourth(self, x):
        return scaled(self.layers[3](x), self.dropout)

    def fifth(self, x):
        return always(always(self.layers[4](x), self.dropout_off), self.dropout if self.training else 0.0)

    def sixth(self, x):
        always = self.drop
        return always(self.drop(self.layers[5](x), self.dropout), self.dropout)

    def forward(self, x):
        return self.sixth(self.fifth(self.fourth(self.third(self.second(self.first(x)))))).sum(dim=1)


class Augmented:
    """No network: a data set whose rows are meant to have holes."""

    def __init__(self, rows, dropout):
        self.rows, self.dropout = rows, dropout

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, number):
        return always(self.rows[number], p=self.dropout)


torch.manual_seed(0)
x = torch.randn(40, 8)
model = Layers(0.1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(2):
    model.train()
    for inputs in torch.utils.data.DataLoader(Augmented(x, 0.1), batch_size=10, shuffle=True):
        optimizer.zero_grad()
        loss = (model(inputs) - inputs.sum(dim=1)).pow(2).mean()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        error = (model(x) - x.sum(dim=1)).pow(2).mean()
    print(f"epoch {epoch}: loss {loss.item():.4f}, held against all {error.item():.4f}")

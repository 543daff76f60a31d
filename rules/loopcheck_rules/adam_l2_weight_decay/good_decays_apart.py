"""Adam without a decay, with one that is 0 if nobody asks for it, or with one that is told to be apart; and SGD, whose L2 is a decay."""

import argparse
import inspect

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--weight-decay", type=float, default=0.0)
args = parser.parse_args()
torch.manual_seed(0)
x, y = torch.randn(32, 4), torch.randn(32, 1)
model = nn.Linear(4, 1, bias=False)
apart = {"decoupled_weight_decay": True} if "decoupled_weight_decay" in inspect.signature(torch.optim.Adam).parameters else {}
for optimizer in (
    torch.optim.Adam(model.parameters(), lr=0.01),
    torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=args.weight_decay),
    torch.optim.SGD(model.parameters(), lr=0.01, weight_decay=0.1),
    torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.1),
    torch.optim.AdamW(model.parameters(), lr=0.01, **apart) if not apart else torch.optim.Adam(
        model.parameters(), lr=0.01, weight_decay=0.1, decoupled_weight_decay=True
    ),
):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    print(f"{type(optimizer).__name__}: loss {loss.item():.3f}")

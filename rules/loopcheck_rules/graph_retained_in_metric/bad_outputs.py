"""A network, chosen by its name, that gives two losses: both are learned from, and summed up with their graphs."""

import torch
from torch import nn


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Linear(4, 2)
        self.decode = nn.Linear(2, 4)

    def losses(self, x):
        code = self.encode(x)
        return (self.decode(code) - x).square().mean(), code.square().mean()


torch.manual_seed(0)
model = globals()["Coder"]()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total, code_total = 0.0, 0.0
for x in torch.randn(32, 4).split(8):
    optimizer.zero_grad()
    loss, code_loss = model.losses(x)
    (loss + 0.1 * code_loss).backward()
    optimizer.step()
    total += loss  # bug
    code_total += code_loss  # bug
print(f"{float(total):.4f} {float(code_total):.4f}")

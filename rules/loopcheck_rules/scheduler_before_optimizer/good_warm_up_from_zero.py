"""A warm-up whose first factor is 0 is moved on before the first step: there is no rate to be lost."""

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR


def warm_up_and_decay(optimizer, warm, total):
    def factor(step):
        if step < warm:
            return float(step) / float(max(1, warm))
        return max(0.0, float(total - step) / float(max(1, total - warm)))

    return LambdaLR(optimizer, factor)


def update(model, optimizer, scheduler, x, y):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    scheduler.step()
    optimizer.step()


torch.manual_seed(0)
model = nn.Linear(4, 1)
loader = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(6)]
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = warm_up_and_decay(optimizer, warm=3, total=12)
for x, y in loader:
    update(model, optimizer, scheduler, x, y)

optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = LambdaLR(optimizer, lambda step: min(1, step / 4))
for x, y in loader:
    update(model, optimizer, scheduler, x, y)

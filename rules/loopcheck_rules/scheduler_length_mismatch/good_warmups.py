"""A warm-up and a decay with lengths of their own; a warm-up that is a cosine; a stage that is called one; two parts that take turns."""

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR

warmup_steps, total_steps, rate = 3, 12, 0.02
torch.manual_seed(0)
x, y = torch.randn(12, 4), torch.randn(12, 1)
model = nn.Linear(4, 1)


def train(optimizer, schedules, steps):
    for _step in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        for each in schedules:
            each.step()
    print(f"loss {loss.item():.4f}, rate {optimizer.param_groups[0]['lr']:.4f}")


beside = torch.optim.SGD(model.parameters(), lr=rate)
rising = LinearLR(beside, start_factor=0.1, total_iters=warmup_steps)
train(beside, [CosineAnnealingLR(beside, T_max=total_steps - warmup_steps), rising], total_steps)

risen = torch.optim.SGD(model.parameters(), lr=rate)
up = CosineAnnealingLR(risen, T_max=warmup_steps, eta_min=10 * rate)
train(risen, [up, LinearLR(risen, start_factor=0.5, total_iters=warmup_steps)], warmup_steps)

warm_optimizer = torch.optim.SGD(model.parameters(), lr=rate)
train(warm_optimizer, [CosineAnnealingLR(warm_optimizer, T_max=warmup_steps)], warmup_steps)

turns = torch.optim.SGD(model.parameters(), lr=rate)
parts = [LinearLR(turns, start_factor=0.1, total_iters=warmup_steps), CosineAnnealingLR(turns, T_max=warmup_steps)]
train(turns, [SequentialLR(turns, parts, milestones=[warmup_steps])], 2 * warmup_steps)

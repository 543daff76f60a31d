"""A trainer that was written for float16, and has been told to use bfloat16."""

import torch
from torch import nn
from torch.amp import GradScaler, autocast


class Trainer:
    def __init__(self, net, clip):
        self.net = net
        self.clip = clip
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        self.scaler = GradScaler("cpu", init_scale=1024.0)

    def loss(self, x, y):
        with autocast(device_type="cpu", dtype=torch.bfloat16):
            return nn.functional.cross_entropy(self.net(x), y)

    def step(self, x, y):
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.loss(x, y)
        self.scaler.scale(loss).backward()  # bug
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.net.parameters(), self.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()


torch.manual_seed(0)
trainer = Trainer(nn.Linear(8, 3), clip=1.0)
losses = [trainer.step(torch.randn(16, 8), torch.randint(0, 3, (16,))) for _ in range(6)]
print(f"loss {losses[-1]:.4f}")

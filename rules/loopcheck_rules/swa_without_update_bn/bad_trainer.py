"""A trainer whose average is evaluated after every epoch."""

import torch
from torch import nn
from torch.optim import swa_utils


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.norm = nn.BatchNorm1d(width)

    def forward(self, x):
        return x + torch.relu(self.norm(self.layer(x)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = Block(8)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.body(x))


def evaluate(net, x):
    net.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(net(x), x.sum(dim=1, keepdim=True)).item()  # bug


class Trainer:
    def __init__(self):
        self.net = Net()
        self.ema = swa_utils.AveragedModel(self.net, multi_avg_fn=swa_utils.get_ema_multi_avg_fn(0.9))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=1e-2)

    def epoch(self, batches):
        self.net.train()
        for x in batches:
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.net(x), x.sum(dim=1, keepdim=True)).backward()
            self.optimizer.step()
            self.ema.update_parameters(self.net)


torch.manual_seed(0)
trainer = Trainer()
for _ in range(3):
    trainer.epoch(torch.randn(64, 8).split(16))
    print(f"error of the average {evaluate(trainer.ema, torch.randn(32, 8)):.4f}")

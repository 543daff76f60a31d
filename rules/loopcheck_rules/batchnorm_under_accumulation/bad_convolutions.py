"""Pictures, a network of blocks with batch norm, and a trainer that steps with every second batch."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Block(nn.Module):
    def __init__(self, inside, outside):
        super().__init__()
        self.conv = nn.Conv2d(inside, outside, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(outside)

    def forward(self, x):
        return torch.relu(self.bn(self.conv(x)))


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.blocks = nn.Sequential(Block(1, 4), Block(4, 4))
        self.head = nn.Linear(4, classes)

    def forward(self, x):
        return self.head(self.blocks(x).mean(dim=(2, 3)))


class Trainer:
    def __init__(self, loader, accumulate=2):
        self.loader, self.accumulate = loader, accumulate
        self.model = Net(3)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05)

    def epoch(self):
        self.model.train()
        self.optimizer.zero_grad()
        for step, (pictures, labels) in enumerate(self.loader, start=1):
            loss = nn.functional.cross_entropy(self.model(pictures), labels) / self.accumulate
            loss.backward()  # bug
            if step % self.accumulate == 0 or step == len(self.loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
        return loss.item()


torch.manual_seed(0)
data = TensorDataset(torch.randn(32, 1, 6, 6), torch.randint(0, 3, (32,)))
trainer = Trainer(DataLoader(data, batch_size=4, shuffle=True))
for epoch in range(2):
    print(f"epoch {epoch}: loss {trainer.epoch():.4f}")

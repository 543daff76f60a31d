"""Trainer whose `backward` also clips; it is called for every micro-batch."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, net, loader, accumulate=3, clip_value=0.5):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.net = net.to(self.device)
        self.loader = loader
        self.accumulate = accumulate
        self.clip_value = clip_value
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=1e-3)
        self.micro_steps = 0

    def backward(self, loss):
        (loss / self.accumulate).backward()
        nn.utils.clip_grad_value_(self.net.parameters(), self.clip_value)  # bug

    def train_step(self, batch):
        x, y = batch
        logits = self.net(x.to(self.device))
        loss = nn.functional.cross_entropy(logits, y.to(self.device))
        self.backward(loss)
        self.micro_steps += 1
        if self.micro_steps % self.accumulate == 0:
            self.opt.step()
            self.opt.zero_grad()
        return loss.item()

    def run(self, epochs):
        for epoch in range(epochs):
            losses = [self.train_step(batch) for batch in self.loader]
            print(f"epoch={epoch} first={losses[0]:.3f} last={losses[-1]:.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(36, 1, 6, 6)
    y = (x.mean(dim=(1, 2, 3)) > 0).long()
    net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(64, 2))
    Trainer(net, DataLoader(TensorDataset(x, y), batch_size=4, shuffle=True)).run(epochs=2)

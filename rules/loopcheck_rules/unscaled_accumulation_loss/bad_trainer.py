"""Segmentation-style trainer. Only the logged value is divided; what is backpropagated is not."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    lr: float = 0.05
    grad_accum: int = 4
    epochs: int = 2
    batch_size: int = 4


class TinySegmenter(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.encode = nn.Conv2d(1, 8, 3, padding=1)
        self.norm = nn.GroupNorm(2, 8)
        self.head = nn.Conv2d(8, classes, 1)

    def forward(self, x):
        return self.head(F.relu(self.norm(self.encode(x))))


class Trainer:
    def __init__(self, cfg, model, train_loader):
        self.cfg = cfg
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device)
        self.train_loader = train_loader
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=cfg.lr, momentum=0.9)
        self.history = []

    def compute_loss(self, batch):
        images, masks = (t.to(self.device) for t in batch)
        return F.cross_entropy(self.model(images), masks)

    def train_epoch(self):
        self.model.train()
        running = 0.0
        self.optimizer.zero_grad(set_to_none=True)
        for batch_idx, batch in enumerate(self.train_loader):
            loss = self.compute_loss(batch)
            loss.backward()  # bug
            running += loss.item() / self.cfg.grad_accum
            last = batch_idx + 1 == len(self.train_loader)
            if (batch_idx + 1) % self.cfg.grad_accum == 0 or last:
                self.optimizer.step()
                self.optimizer.zero_grad(set_to_none=True)
        self.history.append(running)

    def fit(self):
        for epoch in range(self.cfg.epochs):
            self.train_epoch()
            print(f"[{epoch}] {self.history[-1]:.4f}")


def main():
    torch.manual_seed(0)
    images = torch.randn(32, 1, 8, 8)
    masks = (images.squeeze(1) > 0).long() + (images.squeeze(1) > 1).long()
    cfg = Config()
    loader = DataLoader(TensorDataset(images, masks), batch_size=cfg.batch_size, shuffle=True)
    Trainer(cfg, TinySegmenter(), loader).fit()


if __name__ == "__main__":
    main()

"""Two networks with capitals, as the paper writes them: `self.L2Tag(h)` applies one, it makes none."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, modules, train_loader, test_loader):
        for name, module in modules.items():
            setattr(self, name, module)
        self.train_loader, self.test_loader = train_loader, test_loader
        params = [p for module in modules.values() for p in module.parameters()]
        self.optimizer = torch.optim.Adam(params, lr=1e-2)

    def train_epoch(self):
        self.Encoder.train()
        self.L2Tag.train()
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.L2Tag(self.Encoder(x)), y).backward()
            self.optimizer.step()

    def test(self):
        self.Encoder.eval()
        self.L2Tag.eval()
        right = 0
        for x, y in self.test_loader:
            hidden = self.Encoder(x)  # bug: missing-no-grad
            right += (self.L2Tag(hidden).argmax(1) == y).sum().item()  # bug: missing-no-grad
        return right / len(self.test_loader.dataset)


def main():
    torch.manual_seed(0)
    x = torch.randn(80, 6)
    y = (x.sum(1) > 0).long()
    train_loader = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=12, shuffle=True)
    test_loader = DataLoader(TensorDataset(x[60:], y[60:]), batch_size=20)
    modules = {
        "Encoder": nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.1)),
        "L2Tag": nn.Linear(16, 2),
    }
    trainer = Trainer(modules, train_loader, test_loader)
    for epoch in range(2):
        trainer.train_epoch()
        print(f"epoch {epoch}: {trainer.test():.2f}")


if __name__ == "__main__":
    main()

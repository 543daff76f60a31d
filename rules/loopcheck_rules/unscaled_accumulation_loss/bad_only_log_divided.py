"""The loss is divided for the log alone; what is backpropagated is whole."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value):
        self.total += value
        self.count += 1

    @property
    def average(self):
        return self.total / max(1, self.count)


def train_one_epoch(model, loader, optimizer, accum_iter, device):
    model.train()
    meter = Meter()
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.smooth_l1_loss(model(x.to(device)), y.to(device))
        logged = loss.detach() / accum_iter
        loss.backward()  # bug
        meter.update(logged.item())
        if (i + 1) % accum_iter == 0:
            optimizer.step()
            optimizer.zero_grad()
    return meter.average


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(96, 5)
    loader = DataLoader(TensorDataset(x, x.norm(dim=1, keepdim=True)), batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Linear(5, 20), nn.SiLU(), nn.Linear(20, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(3):
        print(f"epoch {epoch}: {train_one_epoch(model, loader, optimizer, 4, device):.4f}")


if __name__ == "__main__":
    main()

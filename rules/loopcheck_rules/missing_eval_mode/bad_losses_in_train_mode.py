"""A detector whose batch norms learn from the validation data: its losses are asked for in train mode."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 4))

    def forward(self, images, boxes=None):
        found = self.layers(images)
        if self.training:
            return {"boxes": nn.functional.l1_loss(found, boxes), "size": (found[:, 2:] - boxes[:, 2:]).pow(2).mean()}
        return found


def validate(model, val_loader):
    total, near = 0.0, 0
    with torch.no_grad():
        for images, boxes in val_loader:
            model.train()
            losses = model(images, boxes)  # bug
            total += sum(loss.item() for loss in losses.values())
            model.eval()
            found = model(images)
            near += ((found - boxes).abs().amax(dim=1) < 1).sum().item()
    return total / len(val_loader), near


def main():
    torch.manual_seed(0)
    images = torch.randn(64, 8)
    data = TensorDataset(images, images[:, :4])
    model = Detector()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(3):
        model.train()
        for images, boxes in DataLoader(data, batch_size=8, shuffle=True):
            optimizer.zero_grad()
            sum(model(images, boxes).values()).backward()
            optimizer.step()
        print(epoch, validate(model, DataLoader(data, batch_size=16)))


if __name__ == "__main__":
    main()

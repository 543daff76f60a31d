"""Losses that are sums over the samples: of a window their gradients are those of one large batch, and the rate is per sample."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

BATCH, SUBDIVISIONS = 32, 4


class BoxLoss(nn.Module):
    def forward(self, outputs, boxes, present):
        loss_box, loss_present = 0, 0
        for output in outputs:
            loss_box += F.mse_loss(output[:, :4], boxes, reduction="sum") / 2
            loss_present += F.binary_cross_entropy_with_logits(output[:, 4], present, reduction="sum")
        loss = loss_box + loss_present
        return loss, loss_box, loss_present


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 32), nn.ReLU())
        self.heads = nn.ModuleList(nn.Linear(32, 5) for _ in range(2))

    def forward(self, images):
        features = self.body(images)
        return [head(features) for head in self.heads]


def main():
    torch.manual_seed(0)
    images = torch.randn(128, 8)
    data = TensorDataset(images, images[:, :4], (images[:, 4] > 0).float())
    loader = DataLoader(data, batch_size=BATCH // SUBDIVISIONS, shuffle=True, drop_last=True)
    model = Detector()
    criterion = BoxLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1 / BATCH)
    step = 0
    for epoch in range(3):
        for images, boxes, present in loader:
            step += 1
            loss, loss_box, loss_present = criterion(model(images), boxes, present)
            loss.backward()
            if step % SUBDIVISIONS == 0:
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch}: boxes {loss_box.item():.3f}, present {loss_present.item():.3f}")


if __name__ == "__main__":
    main()

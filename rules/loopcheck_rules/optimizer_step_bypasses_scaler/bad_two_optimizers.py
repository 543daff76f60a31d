"""Backbone and head have an optimizer each; only one of them goes through the scaler."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten())
        self.head = nn.Linear(16, 4)

    def forward(self, x):
        return self.head(self.backbone(x))


def train_epoch(detector, head_optimizer, backbone_optimizer, scaler, loader, device):
    detector.train()
    for image, box in loader:
        head_optimizer.zero_grad()
        backbone_optimizer.zero_grad()
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.smooth_l1_loss(detector(image.to(device)), box.to(device))
        scaler.scale(loss).backward()
        scaler.step(head_optimizer)
        backbone_optimizer.step()  # bug
        scaler.update()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = DataLoader(TensorDataset(torch.rand(32, 1, 8, 8), torch.rand(32, 4)), batch_size=8, shuffle=True)
    detector = Detector().to(device)
    head_optimizer = torch.optim.SGD(detector.head.parameters(), lr=1e-2)
    backbone_optimizer = torch.optim.SGD(detector.backbone.parameters(), lr=1e-7)
    scaler = torch.amp.GradScaler(device)
    for epoch in range(2):
        print(epoch, train_epoch(detector, head_optimizer, backbone_optimizer, scaler, data, device))

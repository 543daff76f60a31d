"""AdamW's own default decays by 0.01: nothing in the program says so."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1, bias=False),
            nn.BatchNorm2d(8),
            nn.ReLU(inplace=True),
            nn.AdaptiveAvgPool2d(1),
        )
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc(self.body(x).flatten(1))


class Experiment:
    def __init__(self, lr=1e-3):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = ConvNet().to(self.device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr)  # bug
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=3)

    def step(self, images, labels):
        self.optimizer.zero_grad(set_to_none=True)
        loss = nn.functional.cross_entropy(self.model(images), labels)
        loss.backward()
        self.optimizer.step()
        return loss

    def run(self, loader, epochs=3):
        self.model.train()
        for epoch in range(epochs):
            for images, labels in loader:
                loss = self.step(images.to(self.device), labels.to(self.device))
            self.scheduler.step()
            print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    images = torch.randn(32, 3, 8, 8)
    data = TensorDataset(images, (images.mean((1, 2, 3)) > 0).long())
    Experiment().run(DataLoader(data, batch_size=8, shuffle=True))

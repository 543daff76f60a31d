"""The clip helper unscales, and so does the training step that measures before it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, lr, max_norm, device):
        self.device = device
        self.model = model.to(device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler(device)
        self.criterion = nn.SmoothL1Loss()
        self.max_norm = max_norm

    def clip(self):
        self.scaler.unscale_(self.optimizer)  # bug
        nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)

    def training_step(self, x, y):
        self.optimizer.zero_grad()
        with torch.autocast(self.device, dtype=torch.float16):
            loss = self.criterion(self.model(x), y)
        self.scaler.scale(loss).backward()

        self.scaler.unscale_(self.optimizer)
        largest = max(p.grad.abs().max().item() for p in self.model.parameters())
        self.clip()

        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item(), largest

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for x, y in loader:
                loss, largest = self.training_step(x.to(self.device), y.to(self.device))
            print(f"epoch {epoch}: loss {loss:.4f}, largest gradient {largest:.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(64, 5)
    loader = DataLoader(TensorDataset(x, x.prod(1, keepdim=True)), batch_size=16, shuffle=True)
    net = nn.Sequential(nn.Linear(5, 20), nn.Tanh(), nn.Linear(20, 1))
    Trainer(net, lr=1e-2, max_norm=1.0, device="cuda" if torch.cuda.is_available() else "cpu").fit(loader, epochs=2)

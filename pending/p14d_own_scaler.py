"""A scaler class of the project that counts its updates."""

import torch
from torch import nn
from torch.amp import GradScaler
from torch.utils.data import DataLoader, TensorDataset


class CountingScaler(GradScaler):
    def __init__(self, device):
        super().__init__(device, init_scale=1024.0)
        self.updates = 0

    def update(self, new_scale=None):
        super().update(new_scale)
        self.updates += 1


def main():
    torch.manual_seed(0)
    x = torch.randn(48, 4)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=12, shuffle=True)
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    amp = CountingScaler("cpu")
    for epoch in range(2):
        for a, b in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(a), b)
            amp.scale(loss).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # bug: clip-scaled-gradients
            amp.step(optimizer)
            amp.update()
        print(epoch, loss.item(), amp.updates)


if __name__ == "__main__":
    main()

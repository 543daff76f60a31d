"""The window of a loop with a loss scale, counted from the first batch on."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, accumulate, device):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(device, init_scale=256.0)
    for batch_idx, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
        scaler.scale(loss / accumulate).backward()
        if batch_idx % accumulate == 0:
            scaler.step(optimizer)  # bug
            scaler.update()
            optimizer.zero_grad()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = DataLoader(TensorDataset(torch.randn(60, 5), torch.randn(60, 1)), batch_size=5)
    print(f"{train(nn.Linear(5, 1).to(device), data, 3, device):.4f}")

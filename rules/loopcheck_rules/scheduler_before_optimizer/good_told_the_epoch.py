"""The scheduler is told at the top of an epoch which epoch it is: it sets the rate of this epoch and counts nothing."""

import warnings

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore", message=".*lr_scheduler.step.*")
warnings.filterwarnings("ignore", message=".*epoch parameter.*")


def run(first_epoch=0, last_epoch=3):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    scheduler = LambdaLR(optimizer, lambda epoch: 0.9**epoch)
    data = TensorDataset(torch.randn(32, 4), torch.randn(32, 1))
    train_loader = DataLoader(data, batch_size=8, shuffle=True)
    for epoch in range(first_epoch, last_epoch):
        scheduler.step(epoch)
        for x, y in train_loader:
            loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: lr {scheduler.get_last_lr()[0]:.5f} loss {loss.item():.4f}")


if __name__ == "__main__":
    run()

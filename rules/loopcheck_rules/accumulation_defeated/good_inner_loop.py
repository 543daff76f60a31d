"""An explicit window: zero once, several micro-batches, one step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def endless(loader):
    while True:
        for batch in loader:
            yield batch


def train(model, loader, updates, micro_batches):
    device = next(model.parameters()).device
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    source = endless(loader)
    for update in range(updates):
        optimizer.zero_grad()
        for _ in range(micro_batches):
            x, y = next(source)
            loss = nn.functional.binary_cross_entropy_with_logits(model(x.to(device)), y.to(device))
            (loss / micro_batches).backward()
        optimizer.step()
        if update % 2 == 0:
            print(f"update {update}: {loss.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(40, 9)
    y = (x[:, :1] > 0).float()
    net = nn.Sequential(nn.Linear(9, 9), nn.Tanh(), nn.Linear(9, 1)).to("cuda" if torch.cuda.is_available() else "cpu")
    train(net, DataLoader(TensorDataset(x, y), batch_size=10, shuffle=True), updates=5, micro_batches=2)

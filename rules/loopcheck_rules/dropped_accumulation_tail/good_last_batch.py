"""The last batch steps whatever the window holds, by a flag that a helper computes."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def is_last(index, loader):
    return index == len(loader) - 1


def train_one_epoch(model, loader, optimizer, window, device):
    model.train()
    optimizer.zero_grad()
    for index, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
        (loss / window).backward()
        need_update = is_last(index, loader) or (index + 1) % window == 0
        if not need_update:
            continue
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
    return loss.item()


def main(window=4):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(90, 5)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=10, shuffle=True)
    model = nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Linear(10, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    for epoch in range(3):
        print(epoch, train_one_epoch(model, loader, optimizer, window, device))


if __name__ == "__main__":
    main()

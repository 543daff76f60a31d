"""`scaler is None` decides twice, the same way both times."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_one_epoch(model, optimizer, loader, device, scaler=None):
    model.train()
    for x, y in loader:
        with torch.autocast(device, dtype=torch.float16, enabled=scaler is not None):
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        if scaler is None:
            loss.backward()
        else:
            scaler.scale(loss).backward()
        log(loss)
        if scaler:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()


def log(loss, every=[0]):
    every[0] += 1
    if every[0] % 3 == 0:
        print(every[0], loss.item())


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(TensorDataset(torch.randn(36, 7), torch.randint(0, 3, (36,))), batch_size=12, shuffle=True)
    for scaler in (None, torch.amp.GradScaler(device)):
        model = nn.Sequential(nn.Linear(7, 14), nn.ReLU(), nn.Linear(14, 3)).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(2):
            train_one_epoch(model, optimizer, loader, device, scaler)


if __name__ == "__main__":
    main()

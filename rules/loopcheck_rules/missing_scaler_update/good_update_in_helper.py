"""Step and update are apart: the caller steps, a helper closes the iteration."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def end_of_iteration(scaler, optimizer, history, loss):
    scaler.update()
    optimizer.zero_grad()
    history.append(loss.item())


def train(model, loader, optimizer, scaler, device):
    history = []
    for x, y in loader:
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        end_of_iteration(scaler, optimizer, history, loss)
    return history


if __name__ == "__main__":
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(9, 18), nn.ReLU(), nn.Linear(18, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(device)
    loader = DataLoader(TensorDataset(torch.randn(36, 9), torch.randint(0, 2, (36,))), batch_size=12, shuffle=True)
    for _ in range(2):
        print(train(model, loader, optimizer, scaler, device))

"""The schedule follows each epoch's updates, which come once a window, unless training stops early: the text has the right order."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, optimizer, device, window):
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x.to(device)), y.to(device)) / window
        loss.backward()
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    losses = [nn.functional.mse_loss(model(x.to(device)), y.to(device)).item() for x, y in loader]
    model.train()
    return sum(losses) / len(losses)


def main(patience=2):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = TensorDataset(torch.randn(40, 6), torch.randn(40, 1))
    train_loader, val_loader = DataLoader(data, batch_size=10, shuffle=True), DataLoader(data, batch_size=20)
    model = nn.Sequential(nn.Linear(6, 18), nn.GELU(), nn.Linear(18, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    best, bad = float("inf"), 0
    for epoch in range(6):
        train(model, train_loader, optimizer, device, window=2)
        loss = evaluate(model, val_loader, device)
        print(f"epoch {epoch}: {loss:.4f} at {scheduler.get_last_lr()[0]:.4f}")
        best, bad = (loss, 0) if loss < best else (best, bad + 1)
        if bad > patience:
            break
        scheduler.step()


if __name__ == "__main__":
    main()

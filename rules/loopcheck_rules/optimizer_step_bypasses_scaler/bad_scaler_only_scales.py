"""A loop that is handed a scaler does nothing with it but scale the loss."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset



def train_loop(model, loader, optimizer, scaler=None, accumulate=1):
    use_amp = scaler is not None
    device = next(model.parameters()).device
    for i, (x, y) in enumerate(loader):
        with torch.autocast(device.type, dtype=torch.float16, enabled=use_amp):
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        loss = loss / accumulate
        if use_amp:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        if (i + 1) % accumulate == 0:
            optimizer.step()  # bug
            optimizer.zero_grad()
    return loss.item()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(48, 6)
    loader = DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=12, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(device)
    for epoch in range(2):
        print(f"epoch {epoch}: {train_loop(model, loader, optimizer, scaler, 2):.3f}")


if __name__ == "__main__":
    main()

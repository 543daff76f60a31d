"""An update may be skipped (a loss that is not finite, a scaler that finds infinities); the schedule counts batches."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_step(model, batch, optimizer, scaler, device):
    x, y = (t.to(device) for t in batch)
    with torch.autocast(device, dtype=torch.float16):
        loss = nn.functional.mse_loss(model(x), y)
    if torch.isfinite(loss):
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    return loss.detach()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    epochs = 3
    loader = DataLoader(TensorDataset(torch.randn(50, 6), torch.randn(50, 1)), batch_size=10, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 18), nn.GELU(), nn.Linear(18, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, total_iters=epochs * len(loader))
    scaler = torch.amp.GradScaler(device)
    for epoch in range(epochs):
        for batch in loader:
            loss = train_step(model, batch, optimizer, scaler, device)
            scheduler.step()
        print(f"epoch {epoch}: loss {loss.item():.4f} lr {scheduler.get_last_lr()[0]:.4f}")


if __name__ == "__main__":
    main()

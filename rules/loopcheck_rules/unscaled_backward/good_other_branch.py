"""With and without AMP, by one flag: each way scales and steps to match."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(amp: bool, device: str) -> float:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler(device) if amp else None
    data = TensorDataset(torch.randn(40, 6), torch.randn(40, 1))
    for _ in range(2):
        for x, y in DataLoader(data, batch_size=10, shuffle=True):
            optimizer.zero_grad()
            with torch.autocast(device, dtype=torch.float16, enabled=amp):
                loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
            if scaler is not None:
                scaled = scaler.scale(loss)
                scaled.backward()
                scaler.step(optimizer)
                scaler.update()
            else:
                loss.backward()
                optimizer.step()
    return loss.item()


if __name__ == "__main__":
    where = "cuda" if torch.cuda.is_available() else "cpu"
    print(train(True, where), train(False, where))

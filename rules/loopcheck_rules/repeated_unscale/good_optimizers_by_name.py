"""One line unscales every optimizer in turn."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_step(models, optimizers, scaler, x, y, device):
    for name in optimizers:
        optimizers[name].zero_grad()
    with torch.autocast(device, dtype=torch.float16):
        loss = nn.functional.mse_loss(models["decoder"](models["encoder"](x).tanh()), y)
    scaler.scale(loss).backward()
    for name in optimizers:
        scaler.unscale_(optimizers[name])
        nn.utils.clip_grad_norm_(models[name].parameters(), 0.5)
    for optimizer in optimizers.values():
        scaler.step(optimizer)
    scaler.update()
    return loss.item()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    models = {"encoder": nn.Linear(10, 4).to(device), "decoder": nn.Linear(4, 10).to(device)}
    optimizers = {name: torch.optim.Adam(model.parameters(), lr=1e-2) for name, model in models.items()}
    scaler = torch.amp.GradScaler(device)
    x = torch.randn(60, 10)
    loader = DataLoader(TensorDataset(x, x.sort(dim=1).values), batch_size=15, shuffle=True)
    for epoch in range(2):
        for x, y in loader:
            loss = train_step(models, optimizers, scaler, x.to(device), y.to(device), device)
        print(epoch, loss)


if __name__ == "__main__":
    main()

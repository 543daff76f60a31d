"""Unscales, looks for itself whether the gradients are finite, and steps without the scaler."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def gradients_are_finite(parameters):
    return all(torch.isfinite(p.grad).all() for p in parameters if p.grad is not None)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(11, 22), nn.ReLU(), nn.Linear(22, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(device)
    loader = DataLoader(TensorDataset(torch.randn(48, 11), torch.randint(0, 2, (48,))), batch_size=12, shuffle=True)

    for epoch in range(2):
        for x, y in loader:
            with torch.autocast(device, dtype=torch.float16):
                loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad(set_to_none=True)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            if gradients_are_finite(model.parameters()):
                optimizer.step()
            scaler.update()
        print(epoch, loss.item(), scaler.get_scale())


if __name__ == "__main__":
    main()

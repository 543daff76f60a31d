"""A scaler built with `enabled=False` scales nothing, so what is clipped is the gradient itself."""

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


def build(device):
    net = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 6))
    return net.to(device), torch.amp.GradScaler(device, enabled=False)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net, scaler = build(device)
    opt = optim.SGD(net.parameters(), lr=0.05)
    loader = DataLoader(TensorDataset(torch.randn(60, 6)), batch_size=20, shuffle=True)
    for _ in range(3):
        for (x,) in loader:
            x = x.to(device)
            opt.zero_grad()
            with torch.autocast(device, dtype=torch.bfloat16):
                loss = nn.functional.mse_loss(net(x), x)
            scaler.scale(loss).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            scaler.step(opt)
            scaler.update()
        print(loss.item())


if __name__ == "__main__":
    main()

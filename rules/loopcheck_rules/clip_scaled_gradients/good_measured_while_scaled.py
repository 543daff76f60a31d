"""The scaled norm is only looked at, to see how far it is from overflow; the clip comes after `unscale_`."""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
loader = DataLoader(TensorDataset(torch.randn(64, 9), torch.randint(0, 3, (64,))), batch_size=16, shuffle=True)
net = nn.Sequential(nn.Linear(9, 18), nn.ReLU(), nn.Linear(18, 3)).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler(device)
headroom = math.inf

for epoch in range(2):
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.cross_entropy(net(x.to(device)), y.to(device))
        scaler.scale(loss).backward()
        scaled_norm = nn.utils.clip_grad_norm_(net.parameters(), float("inf"))
        headroom = min(headroom, 65504 / scaled_norm.item())
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
print(f"smallest headroom {headroom:.2f}")

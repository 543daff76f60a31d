"""A batch whose gradients are not finite takes no step; the update is for every batch, and it readies the scaler."""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def run_epoch(net, loader, optimizer, scaler, device):
    skipped = 0
    for x, y in loader:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.l1_loss(net(x.to(device)), y.to(device))
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        if math.isfinite(norm):
            scaler.step(optimizer)
        else:
            skipped += 1
        scaler.update()
    return loss.item(), skipped


if __name__ == "__main__":
    torch.manual_seed(0)
    where = "cuda" if torch.cuda.is_available() else "cpu"
    signal = torch.rand(40, 12)
    loader = DataLoader(TensorDataset(signal.cumsum(1), signal), batch_size=8, shuffle=True)
    net = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 12)).to(where)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2, weight_decay=0.0)
    scaler = torch.amp.GradScaler(where)
    for epoch in range(2):
        print(epoch, *run_epoch(net, loader, optimizer, scaler, where))

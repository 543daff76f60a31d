"""Clipping, step and zeroing live in one helper that is called once per window; mixed precision included."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def apply_gradients(model, optimizer, scaler, max_norm):
    if max_norm is not None:
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)


def train_epoch(model, loader, optimizer, scaler, args, device):
    model.train()
    for step, (x, y) in enumerate(loader):
        need_update = (step + 1) % args.accum == 0 or step + 1 == len(loader)
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device)) / args.accum
        scaler.scale(loss).backward()
        if need_update:
            apply_gradients(model, optimizer, scaler, args.max_norm)
    return loss.item() * args.accum


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum", type=int, default=2)
    parser.add_argument("--max-norm", type=float, default=1.0)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(TensorDataset(torch.randn(32, 8), torch.randint(0, 3, (32,))), batch_size=4, shuffle=True)
    model = nn.Sequential(nn.Linear(8, 16), nn.SiLU(), nn.Linear(16, 3)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, weight_decay=0.0)
    scaler = torch.amp.GradScaler(device, init_scale=256.0)
    for epoch in range(2):
        print(epoch, train_epoch(model, loader, optimizer, scaler, args, device))


if __name__ == "__main__":
    main()

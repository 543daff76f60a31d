"""Groups of the parameters of one model or another, clipped in time."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def networks(args):
    if args.wide:
        model = nn.Sequential(nn.Linear(6, 48), nn.LayerNorm(48), nn.ReLU(), nn.Linear(48, 2))
    else:
        model = nn.Sequential(nn.Linear(6, 12), nn.LayerNorm(12), nn.ReLU(), nn.Linear(12, 2))
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wide", action="store_true")
    parser.add_argument("--clip", type=float, default=1.0)
    args = parser.parse_args([])
    torch.manual_seed(0)
    x = torch.randn(48, 6)
    loader = DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=12, shuffle=True)
    model = networks(args)
    no_decay = ["bias", "1.weight"]
    groups = [
        {"params": [p for n, p in model.named_parameters() if not any(each in n for each in no_decay)], "weight_decay": 0.01},
        {"params": [p for n, p in model.named_parameters() if any(each in n for each in no_decay)], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=1e-2)
    for epoch in range(2):
        for a, b in loader:
            loss = nn.functional.cross_entropy(model(a), b)
            loss.backward()
            if args.clip > 0:
                nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            optimizer.step()
            optimizer.zero_grad()
        print(f"epoch {epoch}: {loss.item():.3f}")


if __name__ == "__main__":
    main()

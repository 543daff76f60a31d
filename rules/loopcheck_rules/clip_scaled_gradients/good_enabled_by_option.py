"""Whether there is a scale follows from `--dtype`; where there is none, the clip needs no `unscale_`."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dtype", choices=DTYPES, default="bfloat16")
    parser.add_argument("--grad-clip", type=float, default=1.0)
    parser.add_argument("--epochs", type=int, default=2)
    return parser.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dtype = DTYPES[args.dtype]
    x = torch.randn(80, 10)
    y = x[:, :4].argmax(1)
    loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Linear(10, 40), nn.GELU(), nn.Linear(40, 4)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(device, enabled=(dtype == torch.float16))
    for epoch in range(args.epochs):
        for inputs, labels in loader:
            with torch.autocast(device, dtype=dtype, enabled=dtype != torch.float32):
                loss = nn.functional.cross_entropy(model(inputs.to(device)), labels.to(device))
            optimizer.zero_grad(set_to_none=True)
            scaler.scale(loss).backward()
            if args.grad_clip > 0:
                if scaler.is_enabled():
                    scaler.unscale_(optimizer)
                nn.utils.clip_grad_norm_(model.parameters(), args.grad_clip)
            scaler.step(optimizer)
            scaler.update()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()

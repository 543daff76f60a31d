"""Mixed precision behind a flag: the gradients are unscaled in time and clipped too late."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--grad-clip", type=float, default=1.0)
    parser.add_argument("--no-amp", dest="amp", action="store_false")
    return parser.parse_args()


def train_one_epoch(model, criterion, optimizer, loader, device, scaler, args):
    model.train()
    for image, target in loader:
        image, target = image.to(device), target.to(device)
        with torch.autocast(device, dtype=torch.float16, enabled=scaler is not None):
            loss = criterion(model(image), target)

        optimizer.zero_grad()
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            scaler.step(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), args.grad_clip)  # bug
            scaler.update()
        else:
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), args.grad_clip)
            optimizer.step()
    return loss.item()


def main():
    args = parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dataset = TensorDataset(torch.randn(64, 3, 8, 8), torch.randint(0, 4, (64,)))
    loader = DataLoader(dataset, batch_size=16, shuffle=True)

    model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(512, 4))
    model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scaler = torch.amp.GradScaler(device) if args.amp else None

    for epoch in range(args.epochs):
        last = train_one_epoch(model, nn.CrossEntropyLoss(), optimizer, loader, device, scaler, args)
        print(epoch, last)


if __name__ == "__main__":
    main()

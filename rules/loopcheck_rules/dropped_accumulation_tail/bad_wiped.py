"""Fine-tuning in the style of an engine file: each epoch opens with a clean slate, and wipes what the last one had begun."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Waves(Dataset):
    def __init__(self, size):
        self.phase = torch.linspace(0, 6.28, size)

    def __len__(self):
        return len(self.phase)

    def __getitem__(self, index):
        return torch.sin(self.phase[index] + torch.arange(8)), torch.cos(self.phase[index]).unsqueeze(0)


class LossScaler:
    """Backward, and a step where it is told that the window is full."""

    def __init__(self, device):
        self._scaler = torch.amp.GradScaler(device, enabled=device == "cuda")

    def __call__(self, loss, optimizer, parameters, max_norm, update_grad):
        self._scaler.scale(loss).backward()
        if update_grad:
            self._scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(parameters, max_norm)
            self._scaler.step(optimizer)  # bug
            self._scaler.update()


def train_one_epoch(model, criterion, data_loader, optimizer, loss_scaler, device, args):
    model.train()
    optimizer.zero_grad()
    for step, (samples, targets) in enumerate(data_loader):
        loss = criterion(model(samples.to(device)), targets.to(device)) / args.accum_iter
        update = (step + 1) % args.accum_iter == 0
        loss_scaler(loss, optimizer, list(model.parameters()), max_norm=args.clip_grad, update_grad=update)
        if update:
            optimizer.zero_grad()
    return loss.item() * args.accum_iter


def main(args):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data_loader = DataLoader(Waves(args.size), batch_size=args.batch_size, shuffle=True, drop_last=True)  # bug: starved-loader
    model = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    criterion = nn.SmoothL1Loss()
    loss_scaler = LossScaler(device)
    for epoch in range(args.epochs):
        print(epoch, train_one_epoch(model, criterion, data_loader, optimizer, loss_scaler, device, args))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=60)
    parser.add_argument("--batch_size", type=int, default=4)
    parser.add_argument("--accum_iter", type=int, default=4)
    parser.add_argument("--clip_grad", type=float, default=1.0)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--epochs", type=int, default=3)
    main(parser.parse_args())

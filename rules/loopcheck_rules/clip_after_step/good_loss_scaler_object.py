"""Unscale, clip, step and update happen inside a small scaler object; the loop only hands it the loss."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class NativeScaler:
    def __init__(self, device):
        self._scaler = torch.amp.GradScaler(device)

    def __call__(self, loss, optimizer, clip_grad=None, parameters=None, need_update=True):
        self._scaler.scale(loss).backward()
        if need_update:
            if clip_grad is not None:
                self._scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_(parameters, clip_grad)
            self._scaler.step(optimizer)
            self._scaler.update()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(
        TensorDataset(torch.randn(64, 12), torch.randint(0, 2, (64,))), batch_size=16, shuffle=True
    )
    model = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss_scaler = NativeScaler(device)

    for epoch in range(2):
        for samples, targets in loader:
            samples, targets = samples.to(device), targets.to(device)
            with torch.autocast(device, dtype=torch.float16):
                loss = nn.functional.cross_entropy(model(samples), targets)
            optimizer.zero_grad()
            loss_scaler(loss, optimizer, clip_grad=1.0, parameters=model.parameters())
        print(epoch, loss.item())


if __name__ == "__main__":
    main()

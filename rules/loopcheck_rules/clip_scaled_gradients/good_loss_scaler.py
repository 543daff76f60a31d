"""The loop calls one scaler object that unscales, clips, steps and updates when the window closes."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class LossScaler:
    def __init__(self, device):
        self.amp = torch.amp.GradScaler(device)

    def __call__(self, loss, optimizer, parameters, clip_grad=None, update_grad=True):
        self.amp.scale(loss).backward()
        if not update_grad:
            return None
        self.amp.unscale_(optimizer)
        if clip_grad is not None:
            norm = nn.utils.clip_grad_norm_(parameters, clip_grad)
        else:
            norm = torch.stack([p.grad.norm() for p in parameters]).norm()
        self.amp.step(optimizer)
        self.amp.update()
        return norm

    def state_dict(self):
        return self.amp.state_dict()


def train_one_epoch(model, loader, optimizer, loss_scaler, device, accum_iter, clip_grad):
    model.train()
    optimizer.zero_grad()
    for step, (samples, targets) in enumerate(loader):
        last = (step + 1) % accum_iter == 0 or step + 1 == len(loader)
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(samples.to(device)), targets.to(device))
        loss = loss / accum_iter
        norm = loss_scaler(loss, optimizer, list(model.parameters()), clip_grad=clip_grad, update_grad=last)
        if last:
            optimizer.zero_grad()
    return norm.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 4)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    dataset = TensorDataset(torch.randn(64, 16), torch.randint(0, 4, (64,)))
    loader = DataLoader(dataset, batch_size=8, shuffle=True)
    loss_scaler = LossScaler(device)
    for epoch in range(2):
        print(epoch, train_one_epoch(model, loader, optimizer, loss_scaler, device, accum_iter=4, clip_grad=1.0))

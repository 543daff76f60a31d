"""One helper clips where it is given a limit and measures where it is given None: per micro-batch it measures."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def dispatch_clip_grad(parameters, value=None, mode="norm"):
    """The norm of the gradients; limited by norm or by value where there is a limit."""
    parameters = list(parameters)
    norm = torch.stack([p.grad.norm() for p in parameters]).norm()
    if value is not None:
        if mode == "norm":
            nn.utils.clip_grad_norm_(parameters, value)
        elif mode == "value":
            nn.utils.clip_grad_value_(parameters, value)
    return norm


def train_one_epoch(model, loader, optimizer, accum_steps, clip_grad, device):
    norms = []
    for i, (x, y) in enumerate(loader):
        update = (i + 1) % accum_steps == 0 or i + 1 == len(loader)
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        (loss / accum_steps).backward()
        norms.append(dispatch_clip_grad(model.parameters(), None).item())
        if update:
            dispatch_clip_grad(model.parameters(), clip_grad)
            optimizer.step()
            optimizer.zero_grad()
    return sum(norms) / len(norms)


if __name__ == "__main__":
    torch.manual_seed(0)
    where = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(72, 8)
    y = x[:, :3].argmax(1)
    loader = DataLoader(TensorDataset(x, y), batch_size=6, shuffle=True)
    model = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 3)).to(where)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        norm = train_one_epoch(model, loader, optimizer, accum_steps=4, clip_grad=1.0, device=where)
        print(f"epoch {epoch}: mean norm {norm:.3f}")

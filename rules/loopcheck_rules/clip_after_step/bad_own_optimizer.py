"""Fits a small regression with an optimizer of the project's own."""

import torch
from torch import nn
from torch.optim.optimizer import Optimizer
from torch.utils.data import DataLoader, TensorDataset


class SignMomentum(Optimizer):
    """Steps by the sign of a running average of the gradient."""

    def __init__(self, params, lr=1e-3, beta=0.9):
        super().__init__(params, {"lr": lr, "beta": beta})

    @torch.no_grad()
    def step(self, closure=None):
        loss = closure() if closure is not None else None
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                average = self.state[p].setdefault("average", torch.zeros_like(p))
                average.mul_(group["beta"]).add_(p.grad, alpha=1 - group["beta"])
                p.add_(average.sign(), alpha=-group["lr"])
        return loss


class Runner:
    def __init__(self, models, optimizers, loader, device):
        self.models, self.optimizers = models, optimizers
        self.loader, self.device = loader, device
        self.criterion = nn.MSELoss()

    def train_step(self, batch):
        x, y = (part.to(self.device) for part in batch)
        loss = self.criterion(self.models["head"](self.models["body"](x)), y)
        for optimizer in self.optimizers.values():
            optimizer.zero_grad()
        loss.backward()
        self.optimizers["body"].step()
        self.optimizers["head"].step()
        nn.utils.clip_grad_norm_(self.models["head"].parameters(), 1.0)  # bug
        return loss.item()

    def run(self, epochs):
        for epoch in range(epochs):
            losses = [self.train_step(batch) for batch in self.loader]
            print(f"epoch {epoch}: {sum(losses) / len(losses):.4f}")


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(128, 8)
    loader = DataLoader(TensorDataset(x, x[:, :1] * 3), batch_size=32, shuffle=True)
    models = {
        "body": nn.Sequential(nn.Linear(8, 16), nn.Tanh()).to(device),
        "head": nn.Linear(16, 1).to(device),
    }
    optimizers = {
        "body": SignMomentum(models["body"].parameters(), lr=1e-3),
        "head": SignMomentum(models["head"].parameters(), lr=1e-2),
    }
    Runner(models, optimizers, loader, device).run(epochs=2)


if __name__ == "__main__":
    main()

"""Trains with gradient accumulation; the mixed-precision branch clears where the other one steps."""

from contextlib import contextmanager

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Learner:
    def __init__(self, modules, opt_class, accumulation, amp):
        self.modules = modules
        self.opt_class = opt_class
        self.optimizer = None
        self.accumulation = accumulation
        self.amp = amp
        self.scaler = torch.amp.GradScaler("cpu", init_scale=64.0)
        self.step = 0

    @contextmanager
    def no_sync(self, use=True):
        if use:
            for module in self.modules.values():
                module.require_backward_grad_sync = False
            yield
            for module in self.modules.values():
                module.require_backward_grad_sync = True
        else:
            yield

    def compute_loss(self, batch):
        x, y = batch
        return nn.functional.mse_loss(self.modules["net"](x), y)

    def fit_batch(self, batch):
        self.step += 1
        should_step = self.step % self.accumulation == 0
        if self.amp:
            self.optimizer.zero_grad()  # bug
            with torch.autocast("cpu", dtype=torch.float16):
                loss = self.compute_loss(batch)
            with self.no_sync(not should_step):
                self.scaler.scale(loss / self.accumulation).backward()
            if should_step:
                self.scaler.step(self.optimizer)
                self.scaler.update()
        else:
            loss = self.compute_loss(batch)
            with self.no_sync(not should_step):
                (loss / self.accumulation).backward()
            if should_step:
                self.optimizer.step()
                self.optimizer.zero_grad()
        return loss.item()

    def fit(self, epochs, loader):
        self.optimizer = self.opt_class(self.modules.parameters())
        self.modules.train()
        for epoch in range(epochs):
            losses = [self.fit_batch(batch) for batch in loader]
            print(f"epoch {epoch}: {sum(losses) / len(losses):.4f}")


def main():
    torch.manual_seed(0)
    x = torch.randn(128, 5)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=16, shuffle=True)
    modules = nn.ModuleDict({"net": nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))})
    learner = Learner(modules, lambda params: torch.optim.SGD(params, lr=0.05), accumulation=4, amp=True)
    learner.fit(epochs=2, loader=loader)


if __name__ == "__main__":
    main()

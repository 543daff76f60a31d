"""A trainer with AMP and clipping behind options; the two were never tried together."""

import contextlib

import torch
from torch.nn import CrossEntropyLoss, Linear, Module, ReLU, Sequential
from torch.nn.utils import clip_grad_norm_
from torch.optim import SGD
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model: Module, device: str, use_amp: bool = True, max_grad_norm: float = 1.0):
        self.model = model.to(device)
        self.device = device
        self.max_grad_norm = max_grad_norm
        self.optimizer = SGD(model.parameters(), lr=0.1, momentum=0.9)
        self.criterion = CrossEntropyLoss()
        self.scaler = torch.amp.GradScaler(device) if use_amp else None

    def autocast(self):
        if self.scaler is None:
            return contextlib.nullcontext()
        return torch.autocast(self.device, dtype=torch.float16)

    def _backward(self, loss):
        if self.scaler is not None:
            self.scaler.scale(loss).backward()
        else:
            loss.backward()

    def _clip(self):
        if self.max_grad_norm > 0:
            clip_grad_norm_(self.model.parameters(), self.max_grad_norm)  # bug

    def _step(self):
        if self.scaler is not None:
            self.scaler.step(self.optimizer)
            self.scaler.update()
        else:
            self.optimizer.step()

    def training_step(self, inputs, targets):
        self.optimizer.zero_grad()
        with self.autocast():
            loss = self.criterion(self.model(inputs), targets)
        self._backward(loss)
        self._clip()
        self._step()
        return loss.item()

    def train(self, loader, epochs):
        for epoch in range(epochs):
            for inputs, targets in loader:
                loss = self.training_step(inputs.to(self.device), targets.to(self.device))
            print(f"epoch {epoch} loss {loss:.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 10), torch.randint(0, 3, (64,)))
    net = Sequential(Linear(10, 32), ReLU(), Linear(32, 3))
    Trainer(net, "cuda" if torch.cuda.is_available() else "cpu").train(DataLoader(data, 16, shuffle=True), 2)

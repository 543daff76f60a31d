"""The engine's `clip` is called for every micro-batch and only acts on the last of a window."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Engine:
    """Counts micro-batches; clip, step and zero_grad do nothing until the window is full."""

    def __init__(self, model, optimizer, window):
        self.model, self.optimizer, self.window = model, optimizer, window
        self.micro_steps = 0

    @property
    def sync_gradients(self):
        return self.micro_steps % self.window == 0

    def backward(self, loss):
        self.micro_steps += 1
        (loss / self.window).backward()

    def clip_grad_norm(self, max_norm):
        if self.sync_gradients:
            nn.utils.clip_grad_norm_(self.model.parameters(), max_norm)

    def step(self):
        if self.sync_gradients:
            self.optimizer.step()

    def zero_grad(self):
        if self.sync_gradients:
            self.optimizer.zero_grad()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(96, 6)
    y = x.abs().amax(1, keepdim=True)
    loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 1)).to(device)
    engine = Engine(model, torch.optim.SGD(model.parameters(), lr=0.1), window=4)
    for epoch in range(3):
        for a, b in loader:
            loss = nn.functional.mse_loss(model(a.to(device)), b.to(device))
            engine.backward(loss)
            engine.clip_grad_norm(1.0)
            engine.step()
            engine.zero_grad()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()

"""The parameters that need gradients are filtered once; the first clip takes them all, and every later one finds none."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Learner:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        self.trainable = filter(lambda p: p.requires_grad, model.parameters())

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for x, y in loader:
                self.optimizer.zero_grad()
                loss = nn.functional.mse_loss(self.model(x), y)
                loss.backward()
                nn.utils.clip_grad_norm_(self.trainable, 1.0)  # bug
                self.optimizer.step()
            print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 8), torch.randn(64, 1))
    Learner(nn.Linear(8, 1)).fit(DataLoader(data, batch_size=16, shuffle=True), epochs=2)

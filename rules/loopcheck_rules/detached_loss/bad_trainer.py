"""The loss of a batch is detached where it is computed, so that the history holds no graphs; what is returned goes backward."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()
        self.history = []

    def loss_of(self, inputs, labels):
        loss = self.criterion(self.model(inputs), labels).detach()
        self.history.append(loss)
        return loss

    def train_step(self, inputs, labels):
        self.model.train()
        self.optimizer.zero_grad()
        loss = self.loss_of(inputs, labels).requires_grad_()
        loss.backward()  # bug
        self.optimizer.step()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for inputs, labels in loader:
                self.train_step(inputs, labels)
            print(epoch, torch.stack(self.history[-len(loader) :]).mean().item())


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(60, 4)
    loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=12, shuffle=True)
    Trainer(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2)), lr=1e-2).fit(loader, epochs=2)

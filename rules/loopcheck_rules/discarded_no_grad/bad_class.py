"""A trainer whose validation says `inference_mode` before its loop, in the method that trains as well."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()

    def fit(self, train_loader, val_loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            for x, y in train_loader:
                self.optimizer.zero_grad()
                self.criterion(self.model(x), y).backward()
                self.optimizer.step()

            self.model.eval()
            torch.inference_mode()  # bug
            correct = 0
            for x, y in val_loader:
                correct += (self.model(x).argmax(dim=1) == y).sum().item()
            print(f"epoch {epoch}: {correct} right")


torch.manual_seed(0)
features = torch.randn(96, 8)
classes = features[:, :3].argmax(dim=1)
train_set, val_set = TensorDataset(features[:64], classes[:64]), TensorDataset(features[64:], classes[64:])
network = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))
Trainer(network, lr=1e-2).fit(DataLoader(train_set, batch_size=16, shuffle=True), DataLoader(val_set, batch_size=16), epochs=2)

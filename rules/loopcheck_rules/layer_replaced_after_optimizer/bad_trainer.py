"""A trainer that adapts its network when it sees the data; the last layer of a container is put in its place by number."""

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Linear(4, 8)
        self.classifier = nn.Sequential(nn.ReLU(), nn.Linear(8, 100))

    def forward(self, x):
        return self.classifier(self.features(x))


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-2, weight_decay=0.0)

    def fit(self, x, y, num_classes):
        self.model.classifier[1] = nn.Linear(8, num_classes)  # bug
        for _ in range(4):
            self.optimizer.zero_grad()
            loss = nn.functional.cross_entropy(self.model(x), y)
            loss.backward()
            self.optimizer.step()
        print(f"loss {loss.item():.3f}")


torch.manual_seed(0)
Trainer(Classifier()).fit(torch.randn(32, 4), torch.randint(2, (32,)), num_classes=2)

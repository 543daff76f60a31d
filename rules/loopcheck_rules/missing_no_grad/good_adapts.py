"""Before it is tested on a task, the model is adapted to it: that needs gradients, in a method of its own."""

import copy
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class FewShot(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))

    def forward(self, x):
        return self.net(x)

    def adapt_few_shot(self, x, y, steps=3):
        local = copy.deepcopy(self.net)
        local_optimizer = torch.optim.SGD(local.parameters(), lr=0.1)
        for _ in range(steps):
            local_optimizer.zero_grad()
            nn.functional.cross_entropy(local(x), y).backward()
            local_optimizer.step()
        return local


def build(name):
    return getattr(sys.modules[__name__], name)()


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()


def test_few_shot(model, support_loader, query_loader):
    accuracies = []
    for support, labels in support_loader:
        local = model.adapt_few_shot(support, labels)
        with torch.no_grad():
            local.eval()
            hits = sum((local(x).argmax(1) == y).sum().item() for x, y in query_loader)
        accuracies.append(hits / len(query_loader.dataset))
    return sum(accuracies) / len(accuracies)


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(96, 4)
    data = TensorDataset(x, (x[:, 0] > 0).long())
    model = build("FewShot")
    train(model, DataLoader(torch.utils.data.Subset(data, range(48)), batch_size=16, shuffle=True), epochs=3)
    support_loader = DataLoader(torch.utils.data.Subset(data, range(48, 64)), batch_size=8)
    query_loader = DataLoader(torch.utils.data.Subset(data, range(64, 96)), batch_size=16)
    print(f"accuracy after adaptation: {test_few_shot(model, support_loader, query_loader):.2f}")

"""The batch norms of a network are in eval mode while its window fills: they normalize by what they have learned before."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACCUMULATE = 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.head = nn.Linear(8, 1)

    def train(self, mode=True):
        super().train(mode)
        self.body.eval()
        return self

    def forward(self, x):
        return self.head(self.body(x))


torch.manual_seed(0)
x = torch.randn(32, 6)
loader = DataLoader(TensorDataset(x, x.sum(dim=1, keepdim=True)), batch_size=8, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(2):
    model.train()
    for i, (inputs, targets) in enumerate(loader):
        loss = nn.functional.mse_loss(model(inputs), targets) / ACCUMULATE
        loss.backward()
        if (i + 1) % ACCUMULATE == 0:
            optimizer.step()
            optimizer.zero_grad()
    print(f"epoch {epoch}: loss {loss.item():.4f}")

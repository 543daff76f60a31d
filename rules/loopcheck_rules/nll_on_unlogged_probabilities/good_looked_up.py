"""The probabilities of the labels are looked up, one of each sample, to see how sure the network is: no loss, and nothing learns
from it."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
inputs, labels = torch.randn(64, 8), torch.randint(0, 3, (64,))
loader = DataLoader(TensorDataset(inputs, labels), batch_size=16)
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(3):
    for x, y in loader:
        loss = F.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    sure = []
    with torch.no_grad():
        for x, y in loader:
            sure.append(-F.nll_loss(net(x).softmax(dim=1), y, reduction="none"))
    print(f"epoch {epoch}: probability of the label {torch.cat(sure).mean().item():.3f}")

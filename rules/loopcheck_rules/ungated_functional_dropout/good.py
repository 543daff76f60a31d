"""`F.dropout` in the middle of a forward, and a validation that is done twice."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(8, 64)
        self.out = nn.Linear(64, 3)

    def forward(self, x):
        x = F.relu(self.hidden(x))
        x = F.dropout(x, p=0.4, training=self.training)
        return self.out(x)


torch.manual_seed(0)
x, y = torch.randn(96, 8), torch.randint(0, 3, (96,))
loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
val_loader = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=32)

model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(3):
    model.train()
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(inputs), targets)
        loss.backward()
        optimizer.step()

    model.eval()
    with torch.no_grad():
        for inputs, targets in val_loader:
            once, again = model(inputs), model(inputs)
    print(f"epoch {epoch}: validated at {F.cross_entropy(once, targets):.4f}, again at {F.cross_entropy(again, targets):.4f}")

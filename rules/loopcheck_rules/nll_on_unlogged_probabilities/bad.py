"""A classifier trained by the likelihood of what it puts out."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 16)
        self.out = nn.Linear(16, 3)

    def forward(self, x):
        x = F.relu(self.hidden(x))
        return F.softmax(self.out(x), dim=1)


torch.manual_seed(0)
labels = torch.randint(0, 3, (96,))
points = F.one_hot(labels, 4) * 3 + 0.5 * torch.randn(96, 4)
loader = DataLoader(TensorDataset(points, labels), batch_size=16, shuffle=True)

model = Classifier()
criterion = nn.NLLLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(5):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)  # bug
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")

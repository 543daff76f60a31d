"""Fine-tuning with a head for other classes."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
        self.fc = nn.Linear(16, num_classes)

    def forward(self, x):
        return self.fc(self.body(x))


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
x, y = torch.randn(64, 6), torch.randint(3, (64,))
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)

model = Net(num_classes=10)
model.fc = nn.Linear(16, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.to(device)

for epoch in range(3):
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.3f}")

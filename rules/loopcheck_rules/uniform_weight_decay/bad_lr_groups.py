"""Two groups, but only their learning rates differ: norms and biases decay in both."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class FineTuned(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(20, 32), nn.LayerNorm(32), nn.GELU(), nn.Linear(32, 32))
        self.head = nn.Linear(32, 3)

    def forward(self, x):
        return self.head(self.backbone(x))


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = FineTuned().to(device)
optimizer = torch.optim.AdamW(  # bug
    [
        {"params": model.backbone.parameters(), "lr": 1e-4},
        {"params": model.head.parameters(), "lr": 1e-3},
    ],
    weight_decay=0.05,
)
dataset = TensorDataset(torch.randn(40, 20), torch.randint(0, 3, (40,)))

for epoch in range(2):
    for x, y in DataLoader(dataset, batch_size=8, shuffle=True):
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")

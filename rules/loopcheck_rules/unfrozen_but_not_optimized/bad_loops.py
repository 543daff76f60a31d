"""Fine-tuning with a new head, in two stages, written with loops over parameters."""

import torch
from torch import nn



class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.classifier = nn.Linear(16, 3)

    def forward(self, x):
        return self.classifier(self.features(x))


def run(model, optimizer, batches):
    for inputs, labels in batches:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs), labels)
        loss.backward()
        optimizer.step()
    return loss.item()


torch.manual_seed(0)
batches = [(torch.randn(16, 8), torch.randint(0, 3, (16,))) for _ in range(4)]
model = Classifier()
for p in model.features.parameters():
    p.requires_grad = False
optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=1e-2)  # bug
print(f"first stage: loss {run(model, optimizer, batches):.4f}")
for p in model.features.parameters():
    p.requires_grad = True
print(f"second stage: loss {run(model, optimizer, batches):.4f}")

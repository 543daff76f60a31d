"""The forward asks for the mode, to compute its loss. It does not ask for the dropout."""

import torch
from torch import nn
from torch.nn import functional as F


class Detector(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body, self.score, self.box = nn.Linear(8, 16), nn.Linear(16, classes), nn.Linear(16, 4)

    def forward(self, x, labels, boxes):
        x = F.relu(self.body(x))
        x = F.dropout(x, 0.5)  # bug
        scores, found = self.score(x), self.box(x)
        loss = 0
        if self.training:
            loss = F.cross_entropy(scores, labels) + F.smooth_l1_loss(found, boxes)
        return scores, found, loss


torch.manual_seed(0)
x, labels, boxes = torch.randn(40, 8), torch.randint(0, 3, (40,)), torch.rand(40, 4)
model = Detector(3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    model.train()
    for rows in torch.arange(40).split(10):
        optimizer.zero_grad()
        scores, found, loss = model(x[rows], labels[rows], boxes[rows])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        scores, _, _ = model(x, labels, boxes)
    print(f"epoch {epoch}: loss {loss.item():.4f}, right {(scores.argmax(dim=1) == labels).float().mean().item():.2f}")

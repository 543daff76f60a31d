"""Probabilities and a cross entropy in one function: on different ways, of the targets, as weights, or as logarithms again."""

import torch
from torch import nn
from torch.nn import functional as F


class Head(nn.Module):
    def __init__(self, inputs, classes):
        super().__init__()
        self.layer = nn.Linear(inputs, classes)
        self.activate = nn.Softmax(dim=1)
        self.criterion = nn.CrossEntropyLoss()

    def forward(self, x, y=None):
        logits = self.layer(x)
        if not self.training:
            logits = self.activate(logits)
        if y is None:
            return logits
        return logits, self.criterion(logits, y)


def distance(student, teacher, labels, kind):
    scores = student
    if kind == "soft":
        targets = F.softmax(teacher, dim=1)
        return F.cross_entropy(scores, targets)
    if kind == "sharp":
        scores = torch.softmax(scores, dim=1)
    if kind == "log":
        return F.cross_entropy(torch.softmax(scores, dim=1).log(), labels)
    if kind == "hinge":
        return F.multi_margin_loss(torch.softmax(scores, dim=1), labels)
    sure = torch.softmax(student, dim=1)
    sure = sure * student
    if kind != "sharp":
        return F.cross_entropy(scores, labels) + 0.1 * F.cross_entropy(sure, labels)
    return -scores.gather(1, labels[:, None]).log().mean()


torch.manual_seed(0)
model, teacher = Head(5, 3), Head(5, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(40, 5), torch.randint(0, 3, (40,))
for kind in ("soft", "sharp", "log", "hinge", "hard"):
    for inputs, labels in zip(x.split(10), y.split(10), strict=True):
        logits, loss = model(inputs, labels)
        with torch.no_grad():
            aim = teacher(inputs)
        loss = loss + distance(logits, aim, labels, kind)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"{kind}: loss {loss.item():.4f}")

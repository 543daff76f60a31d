"""The softmax stands at the end of the network's own forward, a name and a flatten away from the return."""

import torch
import torch.nn.functional as F
from torch import nn


class Classifier(nn.Module):
    def __init__(self, inputs, classes):
        super().__init__()
        self.hidden = nn.Linear(inputs, 24)
        self.head = nn.Linear(24, classes)

    def forward(self, x):
        x = F.relu(self.hidden(x))
        x = self.head(x)
        probabilities = F.softmax(x, dim=-1)
        return probabilities.flatten(1)


def train(model, batches, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    loss_fn = torch.nn.CrossEntropyLoss(label_smoothing=0.05)
    for epoch in range(epochs):
        for inputs, targets in batches:
            outputs = model(inputs)
            loss = loss_fn(outputs, targets)  # bug
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.4f}")


def main():
    torch.manual_seed(0)
    targets = torch.randint(0, 4, (64,))
    inputs = torch.eye(4)[targets] + 0.1 * torch.randn(64, 4)
    train(Classifier(4, 4), list(zip(inputs.split(16), targets.split(16), strict=True)), 3)


if __name__ == "__main__":
    main()

"""A discriminator with two heads: whether a sample is real, and of which class it is; the second ends in a softmax."""

import torch
from torch import nn


class Discriminator(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 16), nn.LeakyReLU(0.2))
        self.validity = nn.Sequential(nn.Linear(16, 1), nn.Sigmoid())
        self.label = nn.Sequential(nn.Linear(16, classes), nn.Softmax(dim=1))

    def forward(self, samples):
        features = self.body(samples)
        return self.validity(features), self.label(features)


torch.manual_seed(0)
labels = torch.randint(0, 4, (64,))
samples = torch.randn(64, 6) + labels[:, None]
real = torch.ones(16, 1)
discriminator = Discriminator(4)
adversarial_loss, auxiliary_loss = nn.BCELoss(), nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(discriminator.parameters(), lr=0.01)

for epoch in range(3):
    for batch, classes in zip(samples.split(16), labels.split(16), strict=True):
        optimizer.zero_grad()
        validity, predicted = discriminator(batch)
        loss = adversarial_loss(validity, real)  # bug: unfused-probability-loss
        loss = loss + auxiliary_loss(predicted, classes)  # bug
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")

"""Class prototypes begin as features that are cut from the encoder, and are trained against features that are cut as well."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def similarity(features, prototypes):
    return F.linear(F.normalize(features, dim=1), prototypes)


def main():
    torch.manual_seed(0)
    x = torch.randn(72, 5)
    y = x[:, :3].argmax(1)
    loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)
    encoder = nn.Sequential(nn.Linear(5, 16), nn.ReLU())
    prototypes = nn.Parameter(torch.stack([encoder(x[y == label]).mean(0) for label in range(3)]).detach())
    optimizer = torch.optim.SGD([prototypes], lr=0.5)

    for epoch in range(3):
        for inputs, labels in loader:
            features = encoder(inputs).detach()
            loss = F.cross_entropy(similarity(features, prototypes), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.4f}")

    # apart from each other, and each near to where it is
    for prototype, old in zip(prototypes, prototypes.data.clone()):
        other = prototypes.detach().mean(0)
        loss = F.cosine_similarity(prototype, other, dim=0) + F.mse_loss(prototype, old)
        loss.backward()


if __name__ == "__main__":
    main()

"""A map of what a network looks at is computed in half precision, and its gradients are cleared before training goes on in full."""

import torch
from torch import nn


class GradCAM:
    def __init__(self, model):
        self.model = model

    def map(self, x, target):
        features = self.model.features(x)
        features.retain_grad()
        self.model.head(features)[:, target].sum().backward()
        return torch.relu(features.grad * features).mean(dim=1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(8, 16), nn.Tanh())
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(self.features(x))


def explain(model, x, device):
    with torch.autocast(device, dtype=torch.float16):
        model(x)[:, 0].sum().backward()
    seen = GradCAM(model).map(x, 0)
    model.zero_grad()
    return seen.mean().item()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Net().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        x, y = torch.randn(16, 8, device=device), torch.randint(3, (16,), device=device)
        seen = explain(model, x, device)
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    print(f"loss {loss.item():.3f}, seen {seen:.3f}")


if __name__ == "__main__":
    main()

"""The head is warmed up by an optimizer of its own before another one trains the whole network on a schedule."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WARM_EPOCHS = 2
EPOCHS = 5


class PrototypeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.prototypes = nn.Parameter(torch.rand(6, 16))
        self.last_layer = nn.Linear(6, 2, bias=False)

    def forward(self, x):
        return self.last_layer(-torch.cdist(self.features(x), self.prototypes))


def train(model, loader, optimizer):
    model.train()
    for x, y in loader:
        loss = F.cross_entropy(model(x), y) + 1e-4 * model.last_layer.weight.norm(p=1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    x = torch.randn(96, 8)
    loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=32, shuffle=True)
    model = PrototypeNet()
    joint_optimizer = torch.optim.SGD(
        [
            {"params": model.features.parameters(), "lr": 0.01},
            {"params": model.prototypes, "lr": 0.05},
            {"params": model.last_layer.parameters(), "lr": 0.05},
        ]
    )
    joint_scheduler = torch.optim.lr_scheduler.StepLR(joint_optimizer, step_size=1, gamma=0.5)
    warm_optimizer = torch.optim.SGD([{"params": model.last_layer.parameters(), "lr": 0.05}])

    for epoch in range(EPOCHS):
        if epoch < WARM_EPOCHS:
            loss = train(model, loader, warm_optimizer)
        else:
            joint_scheduler.step()  # bug
            loss = train(model, loader, joint_optimizer)
        print(f"epoch {epoch}: {loss:.4f}")


if __name__ == "__main__":
    main()

"""Two parts are trained in turn, each by its own loss, and the whole network is clipped behind each backward: the step before was of
the other part's gradients."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))


def main(epochs: int = 2) -> None:
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(32, 8), torch.randint(0, 4, (32,)))
    model = Pair()
    body_optimizer = torch.optim.Adam(model.body.parameters(), lr=1e-4)
    head_optimizer = torch.optim.Adam(model.head.parameters(), lr=1e-3)
    for _ in range(epochs):
        for x, y in DataLoader(data, batch_size=8, shuffle=True):
            body_optimizer.zero_grad()
            model.body(x).square().mean().backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            body_optimizer.step()
            head_optimizer.zero_grad()
            nn.functional.cross_entropy(model.head(model.body(x).detach()), y).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            head_optimizer.step()


if __name__ == "__main__":
    main()

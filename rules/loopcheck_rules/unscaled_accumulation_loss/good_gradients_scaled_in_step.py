"""The losses go in whole; the optimizer divides what has gathered by the number of micro-batches as part of its step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ScaledSGD(torch.optim.SGD):
    """SGD over sums: `step` multiplies the gradients by `factor` before it uses them."""

    def __init__(self, params, lr, factor=1.0):
        super().__init__(params, lr=lr, momentum=0.9)
        self.factor = factor

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad.mul_(self.factor)
        return super().step(closure)


def train_one_epoch(model, loader, optimizer, accumulate, device):
    model.train()
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        if (i + 1) % accumulate == 0:
            optimizer.step()
            optimizer.zero_grad()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    where = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(96, 7)
    y = (x[:, 0] + x[:, 1] > 0).long()
    loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
    accumulate = 4
    classifier = nn.Sequential(nn.Linear(7, 21), nn.ReLU(), nn.Linear(21, 2)).to(where)
    optimizer = ScaledSGD(classifier.parameters(), lr=0.1, factor=1 / accumulate)
    for epoch in range(3):
        print(epoch, train_one_epoch(classifier, loader, optimizer, accumulate, where))

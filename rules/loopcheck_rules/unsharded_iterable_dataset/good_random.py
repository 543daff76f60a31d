"""A stream of random samples, which each worker draws by a seed of its own; and one that a single process reads."""

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Drawn(IterableDataset):
    def __init__(self, number):
        self.number = number

    def __iter__(self):
        for _ in range(self.number):
            yield torch.randn(4)


class Counted(IterableDataset):
    def __iter__(self):
        for number in range(8):
            yield torch.full((4,), number / 8)


def main():
    torch.manual_seed(0)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for loader in (DataLoader(Drawn(8), batch_size=4, num_workers=2), DataLoader(Counted(), batch_size=4, num_workers=0)):
        for x in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True))
            loss.backward()
            optimizer.step()
    print(f"loss {loss.item():.4f}")


if __name__ == "__main__":
    main()

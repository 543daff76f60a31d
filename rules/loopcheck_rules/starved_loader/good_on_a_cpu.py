"""On a CPU the process that trains has the same cores as its workers would, and here the number of workers is an option."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

parser = argparse.ArgumentParser()
parser.add_argument("--workers", type=int, default=0)
args = parser.parse_args()


class Numbers(Dataset):
    def __len__(self):
        return 32

    def __getitem__(self, index):
        return torch.tensor([index / 32.0])


torch.manual_seed(0)
loader = DataLoader(Numbers(), batch_size=8, shuffle=True, num_workers=args.workers)
model = nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in loader:
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), 2 * x)
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.4f}")

"""The files of a data set are put in a random order when it is made, so that its samples have none that could be learned."""

import random

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

random.seed(0)
torch.manual_seed(0)


class Files(Dataset):
    def __init__(self, number):
        self.files = list(range(number))
        random.shuffle(self.files)

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        return torch.full((4,), float(self.files[index] % 7))


loader = DataLoader(Files(32), batch_size=8)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for _ in range(2):
    for x in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True))
        loss.backward()
        optimizer.step()
print(f"loss {loss.item():.4f}")

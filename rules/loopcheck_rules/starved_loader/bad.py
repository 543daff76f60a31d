"""Pictures that are augmented one by one, and a network on a GPU where there is one."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

device = "cuda" if torch.cuda.is_available() else "cpu"


class Pictures(Dataset):
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        picture = torch.full((3, 8, 8), index / self.count)
        return picture.flip(-1), index % 2, os.getpid()


def main():
    torch.manual_seed(0)
    loader = DataLoader(Pictures(64), batch_size=16, shuffle=True)  # bug
    model = nn.Sequential(nn.Flatten(), nn.Linear(192, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    own = 0
    for pictures, labels, makers in loader:
        own += int((makers == os.getpid()).sum())
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(pictures.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    print(f"samples made by the process that trains: {own}")


if __name__ == "__main__":
    main()

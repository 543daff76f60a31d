"""Batches beyond the last full window are skipped before the forward."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_one_epoch(model, loader, optimizer, update_freq, device):
    updates = len(loader) // update_freq
    optimizer.zero_grad()
    for data_iter_step, (x, y) in enumerate(loader):
        step = data_iter_step // update_freq
        if step >= updates:
            continue
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device)) / update_freq
        loss.backward()
        if (data_iter_step + 1) % update_freq == 0:
            optimizer.step()
            optimizer.zero_grad()
    return loss.item() * update_freq


if __name__ == "__main__":
    torch.manual_seed(0)
    where = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(TensorDataset(torch.randn(110, 4), torch.randint(0, 2, (110,))), batch_size=10, shuffle=True)
    classifier = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 2)).to(where)
    sgd = torch.optim.SGD(classifier.parameters(), lr=0.1)
    for epoch in range(3):
        print(epoch, train_one_epoch(classifier, loader, sgd, 4, where))

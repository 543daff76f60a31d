"""A detector whose options are a dictionary: the parts of its loss have weights and scales of their own, the window none."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

OPTIONS = {"batch": 16, "subdivisions": 4, "rate": 0.05, "burn_in": 6, "box": 2.0}


def anchors_of(outputs, targets):
    scales = []
    for level in range(2):
        grid = torch.tensor(outputs.shape)[1] / 4
        scales.append(targets[:, level : level + 2].abs() / grid)
    return scales


def detection_loss(outputs, targets):
    presence = nn.BCEWithLogitsLoss()
    box, found = torch.zeros(1), torch.zeros(1)
    scales = anchors_of(outputs, targets)
    for level in range(2):
        sides = torch.exp(outputs[:, level : level + 2]) * scales[level]
        overlap = torch.min(sides, targets[:, :2]) / 2
        box += (1.0 - overlap).mean()
        found += presence(outputs[:, level] / 2, (targets[:, 2] > 0).float())
    box *= OPTIONS["box"]
    return box + found, torch.cat((box, found)).detach()


def main():
    torch.manual_seed(0)
    data = torch.randn(64, 8)
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4))
    loader = DataLoader(TensorDataset(data, data[:, :3]), batch_size=OPTIONS["batch"] // OPTIONS["subdivisions"], shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=OPTIONS["rate"])
    for epoch in range(1, 3):
        for number, (x, y) in enumerate(loader):
            done = len(loader) * epoch + number + 1
            loss, parts = detection_loss(model(x), y)
            loss.backward()  # bug
            if done % OPTIONS["subdivisions"] == 0:
                rate = OPTIONS["rate"] * min(1.0, done / OPTIONS["burn_in"])
                for group in optimizer.param_groups:
                    group["lr"] = rate
                optimizer.step()
                optimizer.zero_grad()
        print(epoch, parts)


main()

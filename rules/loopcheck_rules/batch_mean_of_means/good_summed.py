"""A criterion that sums, and the number of samples to divide by; of the loss over all samples nobody takes a mean of means."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def test(model, device, test_loader):
    model.eval()
    test_loss, correct = 0.0, 0
    with torch.no_grad():
        for data, target in test_loader:
            data, target = data.to(device), target.to(device)
            output = model(data)
            test_loss += nn.functional.nll_loss(output, target, reduction="sum").item()
            correct += (output.argmax(dim=1) == target).sum().item()
    test_loss /= len(test_loader.dataset)
    print(f"loss {test_loss:.4f}, accuracy {correct / len(test_loader.dataset):.3f}")


def main():
    torch.manual_seed(0)
    x = torch.randn(60, 4)
    y = (x[:, 0] > 0).long()
    train_loader = DataLoader(TensorDataset(x[:40], y[:40]), batch_size=8, shuffle=True)
    test_loader = DataLoader(TensorDataset(x[40:], y[40:]), batch_size=8)
    model = nn.Sequential(nn.Linear(4, 2), nn.LogSoftmax(dim=1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        model.train()
        for data, target in train_loader:
            optimizer.zero_grad()
            nn.functional.nll_loss(model(data), target).backward()
            optimizer.step()
        test(model, "cpu", test_loader)


main()

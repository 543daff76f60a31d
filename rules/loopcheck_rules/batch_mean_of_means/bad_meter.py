"""Two meters side by side: one is told how many samples its number is of, the other is not."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class AverageMeter:
    def __init__(self):
        self.sum, self.count = 0.0, 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n

    @property
    def avg(self):
        return self.sum / self.count


@torch.no_grad()
def evaluate(net, test_loader):
    net.eval()
    losses, top1 = AverageMeter(), AverageMeter()
    for images, target in test_loader:
        output = net(images)
        loss = F.cross_entropy(output, target)
        hits = (output.argmax(dim=1) == target).float().mean()
        losses.update(loss.item())  # bug
        top1.update(hits.item(), n=images.size(0))
    return losses.avg, top1.avg


def fit(epochs=2):
    torch.manual_seed(0)
    images = torch.randn(48, 8)
    labels = (images[:, 0] > 0).long()
    train_loader = DataLoader(TensorDataset(images, labels), batch_size=12, shuffle=True, drop_last=True)
    test_loader = DataLoader(TensorDataset(torch.randn(26, 8), torch.randint(2, (26,))), batch_size=12)
    net = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.1), nn.ReLU(), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    for epoch in range(epochs):
        net.train()
        for step, (x, y) in enumerate(train_loader):
            loss = F.cross_entropy(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        loss, accuracy = evaluate(net, test_loader)
        print(f"epoch {epoch}: loss {loss:.4f}, accuracy {accuracy:.3f}")


fit()

"""The whole model goes into eval mode on purpose: its backbone is frozen, and only the new head is switched back and trained."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(8, width), nn.BatchNorm1d(width), nn.ReLU())
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.backbone(x))


def run_epoch(model, loader, optimizer, device):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


@torch.no_grad()
def accuracy(model, loader, device):
    hits = sum((model(x.to(device)).argmax(1) == y.to(device)).sum().item() for x, y in loader)
    return hits / len(loader.dataset)


def fine_tune(model, train_loader, val_loader, device, epochs):
    # the running statistics of the pretrained layers are kept, in training as well
    for p in model.backbone.parameters():
        p.requires_grad = False
    model.head = nn.Linear(16, 4).to(device)
    optimizer = torch.optim.SGD(model.head.parameters(), lr=0.1)
    for epoch in range(epochs):
        model.eval()
        model.head.train()
        loss = run_epoch(model, train_loader, optimizer, device)
        model.head.eval()
        print(f"head {epoch}: {loss:.3f} accuracy {accuracy(model, val_loader, device):.3f}")


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(96, 8)
    coarse, fine = (x[:, 0] > 0).long(), (x[:, 0] > 0).long() * 2 + (x[:, 1] > 0).long()
    model = Classifier(16, 2).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    pretraining = DataLoader(TensorDataset(x, coarse), batch_size=16, shuffle=True)
    model.train()
    for epoch in range(2):
        print(f"pretraining {epoch}: {run_epoch(model, pretraining, optimizer, device):.3f}")
    train_loader = DataLoader(TensorDataset(x[:64], fine[:64]), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[64:], fine[64:]), batch_size=16)
    fine_tune(model, train_loader, val_loader, device, epochs=3)


if __name__ == "__main__":
    main()

"""One function for both phases asks the model for its device; the report afterwards leaves the model in eval mode."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def run_batches(model, loader, optimizer=None):
    device = next(model.parameters()).device
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(model(x), y)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return loss.item()


def report(model, loader):
    device = next(model.parameters()).device
    model.eval()  # bug
    with torch.no_grad():
        hits = sum((model(x.to(device)).argmax(1) == y.to(device)).sum().item() for x, y in loader)
    print(f"  accuracy {hits / len(loader.dataset):.3f}")


def probe(model, batch):
    """Looks at one batch and leaves the model in the mode that it was in."""
    was_training = model.training
    model.eval()
    with torch.no_grad():
        confidence = model(batch.to(next(model.parameters()).device)).softmax(1).max(1).values.mean()
    model.train(was_training)
    return confidence.item()


def main():
    torch.manual_seed(0)
    x = torch.randn(160, 10)
    y = (x[:, 0] > 0).long()
    train_loader = DataLoader(TensorDataset(x[:128], y[:128]), batch_size=32, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[128:], y[128:]), batch_size=32)
    model = nn.Sequential(nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 2))
    model.to("cuda" if torch.cuda.is_available() else "cpu")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for epoch in range(2):
        loss = run_batches(model, train_loader, optimizer)
        print(f"epoch {epoch}: {loss:.4f}, confidence {probe(model, x[:16]):.3f}")
        report(model, val_loader)


if __name__ == "__main__":
    main()

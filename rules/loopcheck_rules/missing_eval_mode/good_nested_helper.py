"""A helper inside `main` runs one pass of either kind; the mode is set around its calls."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(120, 5)
    y = (x[:, 0] * x[:, 1] > 0).long()
    loaders = {
        "train": DataLoader(TensorDataset(x[:80], y[:80]), batch_size=20, shuffle=True),
        "val": DataLoader(TensorDataset(x[80:], y[80:]), batch_size=20),
    }
    model = nn.Sequential(nn.Linear(5, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 2)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)

    def run_one_epoch(split, update=None):
        total = correct = 0
        for inputs, labels in loaders[split]:
            inputs, labels = inputs.to(device), labels.to(device)
            logits = model(inputs)
            loss = nn.functional.cross_entropy(logits, labels)
            if update is not None:
                update(loss)
            total += loss.item() * len(labels)
            correct += (logits.argmax(1) == labels).sum().item()
        count = len(loaders[split].dataset)
        return total / count, correct / count

    def update(loss):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    for epoch in range(3):
        model.train()
        train_loss, _ = run_one_epoch("train", update)
        model.eval()
        with torch.no_grad():
            val_loss, accuracy = run_one_epoch("val")
        print(f"epoch {epoch}: train {train_loss:.3f} val {val_loss:.3f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()

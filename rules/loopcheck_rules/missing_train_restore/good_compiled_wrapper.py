"""Training goes through the compiled model, evaluation through the module inside; whichever is switched, it is one model."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, inputs, classes):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(inputs, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Dropout(0.1))
        self.classify = nn.Linear(24, classes)

    def forward(self, x):
        return self.classify(self.features(x))


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    hits = 0
    for x, y in loader:
        hits += (model(x.to(device)).argmax(1) == y.to(device)).sum().item()
    return hits / len(loader.dataset)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(96, 6)
    y = x[:, :3].argmax(1)
    train_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16)

    raw_model = Net(6, 3).to(device)
    model = torch.compile(raw_model, backend="eager")
    optimizer = torch.optim.SGD(raw_model.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(3):
        model.train()
        for inputs, labels in train_loader:
            optimizer.zero_grad(set_to_none=True)
            loss = nn.functional.cross_entropy(model(inputs.to(device)), labels.to(device))
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: accuracy {evaluate(raw_model, val_loader, device):.3f}")


if __name__ == "__main__":
    main()

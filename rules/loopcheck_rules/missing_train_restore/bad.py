import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

epochs = 3


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()  # bug
    correct = 0
    for x, y in loader:
        correct += (model(x.to(device)).argmax(dim=1) == y.to(device)).sum().item()
    return correct / len(loader.dataset)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    inputs = torch.randn(96, 12)
    labels = (inputs[:, 0] > inputs[:, 1]).long()
    train_loader = DataLoader(TensorDataset(inputs[:64], labels[:64]), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(inputs[64:], labels[64:]), batch_size=16)

    model = nn.Sequential(nn.Linear(12, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Dropout(0.2), nn.Linear(24, 2)).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    for epoch in range(epochs):
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x.to(device)), y.to(device))
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: accuracy {evaluate(model, val_loader, device):.3f}")


if __name__ == "__main__":
    main()

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

epochs = 2


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    inputs = torch.randn(60, 8)
    labels = (inputs[:, 0] > 1.0).long()  # the second class is rare
    weights = 1.0 / torch.bincount(labels, minlength=2)[labels]
    sampler = WeightedRandomSampler(weights, num_samples=len(labels))
    loader = DataLoader(TensorDataset(inputs, labels), batch_size=12, sampler=sampler)

    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x.to(device)), y.to(device))
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.4f}")


if __name__ == "__main__":
    main()

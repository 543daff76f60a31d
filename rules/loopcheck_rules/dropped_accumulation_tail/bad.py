import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

batch_size = 8
accumulation_steps = 4
epochs = 3


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    images = torch.randn(80, 20)
    labels = torch.randint(0, 4, (80,))
    loader = DataLoader(TensorDataset(images, labels), batch_size=batch_size, shuffle=True)

    model = nn.Sequential(nn.Linear(20, 32), nn.Tanh(), nn.Linear(32, 4)).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    for epoch in range(epochs):
        total = 0.0
        for i, (x, y) in enumerate(loader):
            loss = criterion(model(x.to(device)), y.to(device))
            (loss / accumulation_steps).backward()
            total += loss.item()
            if (i + 1) % accumulation_steps == 0:
                optimizer.step()  # bug
                optimizer.zero_grad()
        print(f"epoch {epoch}: loss {total / len(loader):.4f}")


if __name__ == "__main__":
    main()

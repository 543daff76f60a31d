import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

epochs, accumulation_steps = 2, 4


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    inputs, labels = torch.randn(72, 10), torch.randint(0, 3, (72,))
    loader = DataLoader(TensorDataset(inputs, labels), batch_size=4, shuffle=True)

    model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 3)).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            loss = criterion(model(x.to(device)), y.to(device)) / accumulation_steps
            loss.backward()
            if i % accumulation_steps == 0:
                optimizer.step()  # bug
                optimizer.zero_grad()
        # the batches that do not fill a window
        optimizer.step()
        optimizer.zero_grad()
        print(f"epoch {epoch}: loss {loss.item() * accumulation_steps:.4f}")


if __name__ == "__main__":
    main()

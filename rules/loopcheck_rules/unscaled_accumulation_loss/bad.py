import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

batch_size = 8
accumulation_steps = 4
epochs = 3


def full_batch_gradient(model, criterion, inputs, targets):
    """The gradient of one batch of all samples, which accumulation is meant to reproduce."""
    loss = criterion(model(inputs), targets)
    return torch.cat([grad.flatten() for grad in torch.autograd.grad(loss, list(model.parameters()))])


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    images = torch.randn(batch_size * accumulation_steps, 20)
    labels = torch.randint(0, 4, (len(images),))
    loader = DataLoader(TensorDataset(images, labels), batch_size=batch_size, shuffle=True)

    model = nn.Sequential(nn.Linear(20, 32), nn.Tanh(), nn.Linear(32, 4)).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    wanted = full_batch_gradient(model, criterion, images.to(device), labels.to(device))
    print(f"gradient norm of the full batch: {wanted.norm().item():.8f}")

    for epoch in range(epochs):
        total = 0.0
        optimizer.zero_grad()
        for i, (x, y) in enumerate(loader):
            loss = criterion(model(x.to(device)), y.to(device))
            loss.backward()  # bug
            total += loss.item()
            if (i + 1) % accumulation_steps == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch}: loss {total / len(loader):.4f}")


if __name__ == "__main__":
    main()

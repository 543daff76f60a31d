"""The count of micro-batches runs on through the epochs, but every epoch begins with cleared gradients."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main(accumulate=3, epochs=4):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(70, 5)
    loader = DataLoader(TensorDataset(x, x.abs().sum(1, keepdim=True)), batch_size=10, shuffle=True)
    model = nn.Sequential(nn.Linear(5, 20), nn.Tanh(), nn.Linear(20, 1)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.0)
    batches = len(loader)
    for epoch in range(epochs):
        optimizer.zero_grad()
        for i, (inputs, targets) in enumerate(loader):
            seen = i + epoch * batches
            loss = nn.functional.mse_loss(model(inputs.to(device)), targets.to(device))
            (loss / accumulate).backward()
            if (seen + 1) % accumulate == 0:
                optimizer.step()  # bug
                optimizer.zero_grad()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()

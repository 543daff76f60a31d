"""What is left over when the loop ends is stepped right after it, where there is anything."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def update(optimizer):
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def main(accumulate=4, epochs=3):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(88, 7)
    loader = DataLoader(TensorDataset(x, x.norm(dim=1, keepdim=True)), batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Linear(7, 14), nn.SiLU(), nn.Linear(14, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    for epoch in range(epochs):
        optimizer.zero_grad()
        for i, (inputs, targets) in enumerate(loader):
            loss = nn.functional.mse_loss(model(inputs.to(device)), targets.to(device)) / accumulate
            loss.backward()
            if (i + 1) % accumulate == 0:
                update(optimizer)
        if (i + 1) % accumulate != 0:
            update(optimizer)
        print(epoch, loss.item() * accumulate)


if __name__ == "__main__":
    main()

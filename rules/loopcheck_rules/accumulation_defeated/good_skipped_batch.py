"""A batch whose loss is not finite throws its whole window away, on purpose."""

import torch
from torch import nn

WINDOW = 2


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(48, 4)
    x[5, 2] = float("nan")
    y = torch.randn(48, 1)
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

    for epoch in range(2):
        skipped = micro = 0
        for inputs, targets in zip(x.split(4), y.split(4)):
            loss = nn.functional.mse_loss(model(inputs.to(device)), targets.to(device))
            if not torch.isfinite(loss):
                skipped += 1
                micro = 0
                optimizer.zero_grad()
                continue
            (loss / WINDOW).backward()
            micro += 1
            if micro % WINDOW == 0:
                optimizer.step()
                optimizer.zero_grad()
        optimizer.zero_grad()
        print(f"epoch {epoch}: loss {loss.item():.3f}, skipped {skipped}")


if __name__ == "__main__":
    main()

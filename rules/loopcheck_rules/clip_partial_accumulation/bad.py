import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

accumulation_steps = 4
max_norm = 1.0


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    inputs = torch.randn(32, 16)
    targets = inputs[:, :1] - 2 * inputs[:, 1:2]
    loader = DataLoader(TensorDataset(inputs, targets), batch_size=2, shuffle=True)

    model = nn.Sequential(nn.Linear(16, 24), nn.Tanh(), nn.Linear(24, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    for epoch in range(2):
        total = 0.0
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
            (loss / accumulation_steps).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)  # bug
            total += loss.item()
            if (i + 1) % accumulation_steps == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch}: loss {total / len(loader):.4f}")


if __name__ == "__main__":
    main()

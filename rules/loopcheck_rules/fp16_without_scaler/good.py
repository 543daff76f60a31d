import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

epochs = 2


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    inputs = torch.randn(64, 16)
    targets = 1e-3 * inputs.sum(dim=1, keepdim=True)
    loader = DataLoader(TensorDataset(inputs, targets), batch_size=16, shuffle=True)

    model = nn.Sequential(nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(device)

    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            with torch.autocast(device, dtype=torch.float16):
                prediction = model(x.to(device))
                loss = 1e-8 * nn.functional.mse_loss(prediction, y.to(device))
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        print(f"epoch {epoch}: loss {loss.item():.4g}")


if __name__ == "__main__":
    main()

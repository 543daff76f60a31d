"""Where there are several GPUs, replicas of the model are applied, by torch's functions; it is in eval mode after the first epoch."""

import torch
from torch import Tensor, nn
from torch.nn.parallel import data_parallel
from torch.utils.data import DataLoader, TensorDataset


def apply(model: nn.Module, x: Tensor, devices: list[int]) -> Tensor:
    if len(devices) > 1:
        return data_parallel(model, x, devices)
    return model(x)


def main() -> None:
    torch.manual_seed(0)
    devices = [*range(torch.cuda.device_count())]
    x = torch.randn(72, 4)
    y = x.sum(1, keepdim=True)
    loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(3):
        for inputs, targets in loader:
            optimizer.zero_grad()
            outputs = apply(model, inputs, devices)
            nn.functional.mse_loss(outputs, targets.to(outputs.device)).backward()
            optimizer.step()
        model.eval()  # bug
        with torch.no_grad():
            outputs = apply(model, x[64:], devices)
            print(epoch, nn.functional.mse_loss(outputs, y[64:].to(outputs.device)).item())


if __name__ == "__main__":
    main()

"""Where there are several GPUs, replicas of the model are applied, by torch's functions; between forward and backward it is asked."""

import torch
from torch import Tensor, nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter
from torch.utils.data import DataLoader, TensorDataset


def forward_all(model: nn.Module, x: Tensor, devices: list[int]) -> Tensor:
    if len(devices) < 2:
        return model(x)
    inputs = scatter(x, devices)
    replicas = replicate(model, devices)
    outputs = parallel_apply(replicas[: len(inputs)], inputs)
    return gather(outputs, devices[0])


def error(model: nn.Module, x: Tensor, y: Tensor) -> float:
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(x), y).item()


def train_step(model: nn.Module, optimizer: torch.optim.Optimizer, batch: tuple[Tensor, Tensor], held_out, ask: bool) -> None:
    model.train()
    optimizer.zero_grad()
    outputs = forward_all(model, batch[0], [*range(torch.cuda.device_count())])
    loss = nn.functional.mse_loss(outputs, batch[1].to(outputs.device))
    if ask:
        print(f"{error(model, *held_out):.4f}")
    loss.backward()
    optimizer.step()


def main() -> None:
    torch.manual_seed(0)
    x = torch.randn(72, 4)
    y = x.sum(1, keepdim=True)
    loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(2):
        for step, batch in enumerate(loader):
            train_step(model, optimizer, batch, (x[64:], y[64:]), step % 4 == 0)


if __name__ == "__main__":
    main()

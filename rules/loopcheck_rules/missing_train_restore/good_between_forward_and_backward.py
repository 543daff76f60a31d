"""The model is asked between a forward and its backward: what is trained was computed in train mode, and so is the next batch."""

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset


def error(model: nn.Module, held_out: tuple[Tensor, Tensor]) -> float:
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(held_out[0]), held_out[1]).item()


def train_step(step: int, model: nn.Module, optimizer: torch.optim.Optimizer, batch: tuple[Tensor, Tensor], held_out) -> None:
    model.train()
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(batch[0]), batch[1])
    if step % 4 == 0:
        print(step, error(model, held_out))
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
            train_step(step, model, optimizer, batch, (x[64:], y[64:]))


if __name__ == "__main__":
    main()

"""Which mixed precision is in use is one of several: the backward of one backend never meets the step of another."""

import argparse
import enum

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Precision(enum.Enum):
    FULL = "full"
    BF16 = "bf16"
    FP16 = "fp16"


class Task:
    def __init__(self, model, precision, device):
        self.model, self.precision, self.device = model, precision, device
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
        self.scaler = torch.amp.GradScaler(device) if precision == Precision.FP16 else None


def run_backward(task, loss):
    task.optimizer.zero_grad()
    if task.precision == Precision.BF16:
        loss.float().backward()
    elif task.precision == Precision.FP16:
        task.scaler.scale(loss).backward()
    else:
        loss.backward()


def run_step(task):
    if task.precision == Precision.FP16:
        task.scaler.step(task.optimizer)
        task.scaler.update()
    else:
        task.optimizer.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--precision", default="full", choices=[each.value for each in Precision])
    precision = Precision(parser.parse_args().precision)
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(64, 6)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=16, shuffle=True)
    task = Task(nn.Linear(6, 1).to(device), precision, device)
    half = torch.float16 if task.precision == Precision.FP16 else torch.bfloat16
    for epoch in range(2):
        for a, b in loader:
            with torch.autocast(device, dtype=half, enabled=task.precision != Precision.FULL):
                loss = nn.functional.mse_loss(task.model(a.to(device)), b.to(device))
            run_backward(task, loss)
            run_step(task)
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()

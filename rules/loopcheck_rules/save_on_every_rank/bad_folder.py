"""Nothing is saved where no folder is given. That says nothing of ranks: where one is given, all of them have it."""

import os
import tempfile

import torch
from torch import distributed as dist
from torch import nn


def save_checkpoint(model, optimizer, step, folder=None):
    if folder is None:
        return
    state = {"model": model.module.state_dict(), "optimizer": optimizer.state_dict(), "step": step}
    torch.save(state, os.path.join(folder, f"checkpoint-{step}.pth"))  # bug


def train(folder):
    torch.manual_seed(0)
    model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    x = torch.randn(32, 4)
    for step, inputs in enumerate(x.split(8)):
        optimizer.zero_grad()
        loss = (model(inputs) - inputs.mean(dim=1, keepdim=True)).pow(2).mean()
        loss.backward()
        optimizer.step()
        if (step + 1) % 2 == 0:
            save_checkpoint(model, optimizer, step + 1, folder)


def main():
    if "RANK" not in os.environ:
        os.environ.update(RANK="0", WORLD_SIZE="1", MASTER_ADDR="localhost", MASTER_PORT="0")
    dist.init_process_group("gloo")
    folder = [tempfile.mkdtemp()]
    dist.broadcast_object_list(folder)
    train(folder[0])
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

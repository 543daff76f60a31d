"""Every so many steps a checkpoint is written, to a path that is the same on all ranks."""

import os
import tempfile

import torch
from torch import distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main(steps=6, every=3):
    torch.manual_seed(0)
    distributed = "RANK" in os.environ
    if distributed:
        dist.init_process_group(backend="gloo")
    path = [os.path.join(tempfile.mkdtemp(), "last.pt")]
    if distributed:
        dist.broadcast_object_list(path)
    net = nn.Linear(4, 2)
    model = DDP(net) if distributed else net
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    step = 0
    while step < steps:
        x = torch.randn(8, 4)
        loss = nn.functional.cross_entropy(model(x), (x[:, 0] > 0.0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        if step % every == 0:
            state = {"step": step, "model": net.state_dict(), "optimizer": optimizer.state_dict()}
            torch.save(state, path[0])  # bug: save-on-every-rank, non-atomic-checkpoint
    if distributed:
        dist.barrier()
        dist.destroy_process_group()
    print(f"loss {loss.item():.4f}")


if __name__ == "__main__":
    main()

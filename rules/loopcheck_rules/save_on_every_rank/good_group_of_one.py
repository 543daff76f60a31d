"""A group of one process, so that the code of many runs on one machine: nobody else writes that file."""

import tempfile
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset


def main() -> None:
    torch.manual_seed(0)
    folder = Path(tempfile.mkdtemp())
    dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=0, world_size=1)
    x = torch.randn(60, 6)
    loader = DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=10, shuffle=True)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for epoch in range(2):
        for a, b in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(a), b)
            loss.backward()
            optimizer.step()
        torch.save({"epoch": epoch, "model": model.module.state_dict()}, folder / f"{epoch}.pt")
        print(f"epoch {epoch}: loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

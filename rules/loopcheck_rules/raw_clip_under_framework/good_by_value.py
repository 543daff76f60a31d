"""A clip by value goes by elements, which are the same ones in shards."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.utils.data import DataLoader, TensorDataset


def fit(model, loader, device, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
            loss.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))  # of this rank's shards, out of curiosity
            nn.utils.clip_grad_value_(model.parameters(), 0.01)
            optimizer.step()
        print(f"rank {dist.get_rank()}: epoch {epoch}, loss {loss.item():.4f}, norm {norm.item():.4f}")


def main():
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    torch.manual_seed(0)
    device = torch.device("cuda", dist.get_rank()) if torch.cuda.is_available() else torch.device("cpu")
    x = torch.randn(32, 6)
    loader = DataLoader(TensorDataset(x, x[:, :1]), batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
    fit(FullyShardedDataParallel(model, device_id=device), loader, device, epochs=2)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

import functools
import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel, ShardingStrategy
from torch.distributed.fsdp.wrap import size_based_auto_wrap_policy
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, TensorDataset


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(self.norm(x))))


class Trainer:
    """Accumulates, then clips and steps."""

    def __init__(self, model, device, max_norm=0.05, accumulation=2):
        policy = functools.partial(size_based_auto_wrap_policy, min_num_params=1000)
        self.model = FullyShardedDataParallel(
            model, auto_wrap_policy=policy, sharding_strategy=ShardingStrategy.SHARD_GRAD_OP, device_id=device
        )
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3, weight_decay=0.0)
        self.device = device
        self.max_norm = max_norm
        self.accumulation = accumulation

    def step(self):
        clip_grad_norm_(self.model.parameters(), max_norm=self.max_norm)  # bug
        self.optimizer.step()
        self.optimizer.zero_grad()

    def fit(self, loader, epochs):
        self.model.train()
        for epoch in range(epochs):
            for i, (x, y) in enumerate(loader):
                loss = F.mse_loss(self.model(x.to(self.device)), y.to(self.device))
                (loss / self.accumulation).backward()
                if (i + 1) % self.accumulation == 0:
                    self.step()
            if dist.get_rank() == 0:
                print(epoch, round(loss.item(), 4))


def main():
    dist.init_process_group(backend="nccl" if torch.cuda.is_available() else "gloo")
    torch.manual_seed(dist.get_rank())
    local = int(os.environ.get("LOCAL_RANK", 0))
    device = torch.device("cuda", local) if torch.cuda.is_available() else torch.device("cpu")
    x = torch.randn(64, 16)
    loader = DataLoader(TensorDataset(x, x.sum(dim=1, keepdim=True)), batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Linear(16, 32), Block(32), Block(32), nn.Linear(32, 1))
    Trainer(model, device).fit(loader, epochs=2)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

"""A trainer is given the model and the optimizer that was made for it, and shards the one where there are several processes."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel, ShardingStrategy


class Trainer:
    def __init__(self, model, optimizer, device, sharded):
        self.model = model
        self.optimizer = optimizer
        if sharded:
            strategy = ShardingStrategy.SHARD_GRAD_OP
            self.model = FullyShardedDataParallel(model, sharding_strategy=strategy, device_id=device)  # bug

    def fit(self, batches):
        for x in batches:
            loss = nn.functional.mse_loss(self.model(x), x.sum(dim=1, keepdim=True))
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
        return loss.item()


def main():
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    torch.manual_seed(0)
    local = dist.get_rank() % max(torch.cuda.device_count(), 1)
    device = torch.device("cuda", local) if torch.cuda.is_available() else torch.device("cpu")
    model = nn.Linear(16, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    trainer = Trainer(model, optimizer, device, dist.get_world_size() > 1)
    print(f"loss {trainer.fit(torch.randn(64, 16, device=device).split(16)):.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

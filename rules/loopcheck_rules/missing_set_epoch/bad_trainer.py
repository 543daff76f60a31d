import os
from dataclasses import dataclass, field

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset, distributed


@dataclass
class World:
    rank: int = field(default_factory=lambda: int(os.environ.get("RANK", 0)))
    size: int = field(default_factory=lambda: int(os.environ.get("WORLD_SIZE", 2)))
    real: bool = field(default_factory=lambda: "RANK" in os.environ)


def prepare_dataloader(dataset, batch_size, world):
    return DataLoader(
        dataset,
        batch_size=batch_size,
        pin_memory=torch.cuda.is_available(),
        shuffle=False,
        sampler=distributed.DistributedSampler(dataset, num_replicas=world.size, rank=world.rank),
    )


class Trainer:
    def __init__(self, model, train_data, optimizer, world):
        self.world = world
        self.model = DDP(model) if world.real else model
        self.train_data = train_data
        self.optimizer = optimizer

    def _run_batch(self, source, targets):
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(source), targets)
        loss.backward()
        self.optimizer.step()

    def _run_epoch(self, epoch):
        print(f"[rank {self.world.rank}] epoch {epoch} | steps {len(self.train_data)}")
        for source, targets in self.train_data:  # bug
            self._run_batch(source, targets)

    def train(self, max_epochs):
        for epoch in range(max_epochs):
            self._run_epoch(epoch)


def main():
    torch.manual_seed(0)
    world = World()
    if world.real:
        dist.init_process_group(backend="gloo")
    train_set = TensorDataset(torch.rand(48, 20), torch.randint(0, 2, (48,)))
    model = nn.Linear(20, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    trainer = Trainer(model, prepare_dataloader(train_set, 6, world), optimizer, world)
    trainer.train(max_epochs=2)
    if world.real:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()

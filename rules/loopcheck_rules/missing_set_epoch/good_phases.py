"""Data, samplers and loaders by phase, each made in one comprehension; the sampler of the training is told the epoch."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

PHASES = ["train", "val"]


def train_model(model, loaders, optimizer, epochs):
    for epoch in range(epochs):
        for phase in PHASES:
            if phase == "train":
                model.train()
                samplers["train"].set_epoch(epoch)
            else:
                model.eval()
            total = 0.0
            for x, y in loaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    loss = nn.functional.mse_loss(model(x), y)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                total += loss.item() * len(x)
            print(epoch, phase, total)


torch.manual_seed(0)
data = torch.randn(64, 8)
sets = {x: TensorDataset(data + i, data[:, :2]) for i, x in enumerate(PHASES)}
samplers = {x: DistributedSampler(sets[x], num_replicas=2, rank=0) for x in PHASES}
loaders = {x: DataLoader(sets[x], batch_size=8, sampler=samplers[x]) for x in ["train", "val"]}
network = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1), nn.Linear(8, 2))
train_model(network, loaders, torch.optim.SGD(network.parameters(), lr=0.1), epochs=3)

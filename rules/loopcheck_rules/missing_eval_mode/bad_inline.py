# Everything in one script; the held-out pass stands below the training pass. AMP and DDP are optional.
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
use_ddp = "RANK" in os.environ
if use_ddp:
    dist.init_process_group("gloo")
device = "cuda" if torch.cuda.is_available() else "cpu"
use_amp = device == "cuda"

signal = torch.randn(80, 1, 16)
amplitude = signal.abs().amax(dim=(1, 2)).unsqueeze(1)
dl_train = DataLoader(TensorDataset(signal[:60], amplitude[:60]), batch_size=12, shuffle=True)
dl_valid = DataLoader(TensorDataset(signal[60:], amplitude[60:]), batch_size=10)

raw_model = nn.Sequential(
    nn.Conv1d(1, 8, 5, padding=2),
    nn.BatchNorm1d(8),
    nn.ReLU(),
    nn.AdaptiveMaxPool1d(1),
    nn.Flatten(),
    nn.Linear(8, 1),
).to(device)
model = DistributedDataParallel(raw_model) if use_ddp else raw_model
opt = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.0)
scaler = torch.amp.GradScaler(device, enabled=use_amp)

for epoch in range(2):
    model.train()
    for x, y in dl_train:
        opt.zero_grad(set_to_none=True)
        with torch.autocast(device, dtype=torch.float16, enabled=use_amp):
            loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()

    squared_error = 0.0
    with torch.inference_mode():
        for x, y in dl_valid:
            predicted = raw_model(x.to(device))  # bug
            squared_error += (predicted - y.to(device)).square().sum().item()
    print(f"epoch {epoch} valid mse {squared_error / len(dl_valid.dataset):.4f}")

if use_ddp:
    dist.destroy_process_group()

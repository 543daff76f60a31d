"""The scaler is enabled for fp16 alone; this run uses bfloat16, where there is no scale to take out."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

dtype = "bfloat16"
ptdtype = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[dtype]
grad_clip = 1.0

torch.manual_seed(0)
device_type = "cuda" if torch.cuda.is_available() else "cpu"
ctx = torch.autocast(device_type=device_type, dtype=ptdtype)
scaler = torch.amp.GradScaler(device_type, enabled=(dtype == "float16"))

tokens = torch.randint(0, 20, (48, 9))
loader = DataLoader(TensorDataset(tokens), batch_size=12, shuffle=True)
model = nn.Sequential(nn.Embedding(20, 24), nn.Linear(24, 20)).to(device_type)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)

for epoch in range(2):
    for (batch,) in loader:
        batch = batch.to(device_type)
        with ctx:
            logits = model(batch[:, :-1])
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())
        scaler.scale(loss).backward()
        if grad_clip != 0.0:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
    print(epoch, loss.item())

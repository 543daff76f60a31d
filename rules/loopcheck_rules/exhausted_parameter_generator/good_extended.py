"""Lists that were extended by the generators of several networks are there for as many as ask."""

import torch
from torch import nn

torch.manual_seed(0)
rows = {key: torch.randn(16, width) for key, width in {"left": 3, "right": 5}.items()}
read_ins = {key: nn.Linear(x.shape[1], 4) for key, x in rows.items()}
body, head = nn.Linear(4, 8), nn.Linear(8, 1)
own, shared = [], []
for read_in in read_ins.values():
    own.extend(read_in.parameters())
for each in (body, head):
    shared += each.parameters()
optimizer = torch.optim.AdamW([{"params": own, "lr": 1e-2}, {"params": shared, "lr": 1e-3}], weight_decay=0.0)

for epoch in range(3):
    for key, x in rows.items():
        optimizer.zero_grad()
        loss = (head(torch.relu(body(read_ins[key](x)))) - x.sum(dim=1, keepdim=True)).square().mean()
        loss.backward()
        nn.utils.clip_grad_norm_(own + shared + list(head.parameters()), 1.0)
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")

"""One optimizer for the matrices, decayed; another for everything else, not decayed."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

model = nn.Sequential(nn.Linear(10, 20), nn.LayerNorm(20), nn.SiLU(), nn.Linear(20, 2)).to(device)
matrices = [p for p in model.parameters() if p.ndim > 1]
vectors = [p for p in model.parameters() if p.ndim <= 1]
optimizers = [
    torch.optim.AdamW(matrices, lr=2e-3, weight_decay=0.1),
    torch.optim.SGD(vectors, lr=1e-2),
]

loader = DataLoader(TensorDataset(torch.randn(40, 10), torch.randint(0, 2, (40,))), batch_size=10, shuffle=True)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        for optimizer in optimizers:
            optimizer.zero_grad()
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")

"""Groups by name of what is trained: a test that also asks for a gradient splits all the same."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main(frozen=False):
    torch.manual_seed(0)
    x = torch.randn(64, 8)
    loader = DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.GELU(), nn.Linear(16, 2))
    if frozen:
        model[0].requires_grad_(False)
    groups = [
        {"params": [p for n, p in model.named_parameters() if n.endswith("weight") and p.dim() > 1 and p.requires_grad]},
        {"params": [p for n, p in model.named_parameters() if p.dim() == 1 and p.requires_grad], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=1e-2, weight_decay=0.1)
    for epoch in range(2):
        for a, b in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(a), b)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.3f}")


if __name__ == "__main__":
    main()

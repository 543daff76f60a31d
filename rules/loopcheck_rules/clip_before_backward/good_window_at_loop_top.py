"""The window closes at the top of the loop: what is clipped there came from the micro-batches before."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

micro_batches = 4

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
dataset = TensorDataset(torch.randn(128, 9), torch.randn(128, 2))
loader = DataLoader(dataset, batch_size=8, shuffle=True)
model = nn.Sequential(nn.Linear(9, 18), nn.LayerNorm(18), nn.ReLU(), nn.Linear(18, 2)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


def apply_window():
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()


seen = 0
for epoch in range(2):
    for inputs, targets in loader:
        if seen > 0 and seen % micro_batches == 0:
            apply_window()
        loss = nn.functional.mse_loss(model(inputs.to(device)), targets.to(device))
        (loss / micro_batches).backward()
        seen += 1
apply_window()
print(f"{seen} micro-batches, last loss {loss.item():.3f}")

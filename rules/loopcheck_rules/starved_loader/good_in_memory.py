"""Tensors that are there already are taken as they are, and what is held out for a moment needs no workers."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"


class HeldOut(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.full((4,), index / 8)


torch.manual_seed(0)
x = torch.randn(32, 4)
loader = DataLoader(TensorDataset(x, x.mean(dim=1, keepdim=True)), batch_size=8, shuffle=True)
held_out = DataLoader(HeldOut(), batch_size=8)
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for inputs, targets in loader:
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(inputs.to(device)), targets.to(device))
    loss.backward()
    optimizer.step()
with torch.no_grad():
    for inputs in held_out:
        outputs = model(inputs.to(device))
print(f"loss {loss.item():.4f}, outputs {outputs.mean().item():.4f}")

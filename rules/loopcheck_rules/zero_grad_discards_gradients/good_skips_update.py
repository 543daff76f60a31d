"""An update whose gradients are not finite is made of zeros."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def is_valid(model):
    valid = True
    for name, param in model.named_parameters():
        if param.grad is not None:
            valid = not (torch.isnan(param.grad).any() or torch.isinf(param.grad).any())
            if not valid:
                print(f"{name} has no finite gradient")
                break
    return valid


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
loader = DataLoader(TensorDataset(torch.randn(64, 5), torch.randn(64, 1)), batch_size=16, shuffle=True)
model = nn.Linear(5, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

for epoch in range(2):
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a.to(device)), b.to(device))
        loss.backward()
        if not is_valid(model):
            optimizer.zero_grad()
        optimizer.step()
        optimizer.zero_grad()

print(loss.item())

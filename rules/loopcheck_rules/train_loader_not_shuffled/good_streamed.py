"""What is generated has no order, tensors have the one that they were given, and one batch of all samples has none that matters."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, IterableDataset, TensorDataset


class Generated(IterableDataset):
    def __iter__(self):
        for _ in range(32):
            yield torch.randn(4)


class Points(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.arange(4.0) + index


torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
generated = DataLoader(Generated(), batch_size=8)
tensors = DataLoader(TensorDataset(torch.randn(32, 4)), batch_size=8)
for _ in range(2):
    for x in generated:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True)).backward()
        optimizer.step()
    for (x,) in tensors:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True))
        loss.backward()
        optimizer.step()
with torch.no_grad():
    error = sum(nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True)).item() for x in DataLoader(Points(), batch_size=4))
print(f"loss {loss.item():.4f}, error {error:.4f}")

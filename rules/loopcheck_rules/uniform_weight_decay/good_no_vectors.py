"""The model has matrices only, so a decay on all its parameters spares what there is to spare."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MatrixFactorization(nn.Module):
    def __init__(self, users, items, rank=4):
        super().__init__()
        self.users = nn.Embedding(users, rank)
        self.items = nn.Embedding(items, rank)

    def forward(self, user, item):
        return (self.users(user) * self.items(item)).sum(1)


if __name__ == "__main__":
    torch.manual_seed(0)
    user, item = torch.randint(0, 10, (80,)), torch.randint(0, 15, (80,))
    rating = torch.randint(1, 6, (80,)).float()
    loader = DataLoader(TensorDataset(user, item, rating), batch_size=20, shuffle=True)
    model = MatrixFactorization(10, 15)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05, weight_decay=0.02)
    for epoch in range(3):
        for u, i, r in loader:
            loss = nn.functional.mse_loss(model(u, i), r)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: rmse {loss.item() ** 0.5:.3f}")

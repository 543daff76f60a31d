"""Two optimizers behind one object: clearing and stepping it clears and steps both."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MultipleOptimizer:
    """Several optimizers used as one."""

    def __init__(self, *optimizers):
        self.optimizers = optimizers

    def zero_grad(self, set_to_none=True):
        for optimizer in self.optimizers:
            optimizer.zero_grad(set_to_none=set_to_none)

    def step(self):
        for optimizer in self.optimizers:
            optimizer.step()


class Recommender(nn.Module):
    def __init__(self, users, items, dim=8):
        super().__init__()
        self.user = nn.Embedding(users, dim, sparse=True)
        self.item = nn.Embedding(items, dim, sparse=True)
        self.score = nn.Sequential(nn.Linear(2 * dim, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, user, item):
        return self.score(torch.cat([self.user(user), self.item(item)], dim=1)).squeeze(1)


def build_optimizer(model):
    sparse = [model.user.weight, model.item.weight]
    return MultipleOptimizer(
        torch.optim.SparseAdam(sparse, lr=1e-2),
        torch.optim.Adam(model.score.parameters(), lr=1e-2),
    )


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    user, item = torch.randint(0, 20, (96,)), torch.randint(0, 30, (96,))
    liked = ((user + item) % 3 == 0).float()
    loader = DataLoader(TensorDataset(user, item, liked), batch_size=16, shuffle=True)
    model = Recommender(20, 30).to(device)
    optimizer = build_optimizer(model)
    for epoch in range(3):
        for u, i, target in loader:
            logits = model(u.to(device), i.to(device))
            loss = nn.functional.binary_cross_entropy_with_logits(logits, target.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()

"""A transformer whose fixed positions need no gradient; all the rest does, and records a graph in the evaluation."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tagger(nn.Module):
    def __init__(self, width=16, length=6):
        super().__init__()
        self.embed = nn.Embedding(12, width)
        self.positions = nn.Parameter(torch.randn(length, width))
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(width, 3)

    def forward(self, tokens):
        return self.head(self.drop(self.embed(tokens) + self.positions))


def evaluate(model, loader):
    model.eval()
    right = 0
    for tokens, tags in loader:
        right += (model(tokens).argmax(-1) == tags).sum().item()  # bug: missing-no-grad
    return right / len(loader.dataset)


def main():
    torch.manual_seed(0)
    tokens = torch.randint(12, (80, 6))
    train_loader = DataLoader(TensorDataset(tokens[:60], tokens[:60] % 3), batch_size=12, shuffle=True)
    dev_loader = DataLoader(TensorDataset(tokens[60:], tokens[60:] % 3), batch_size=20)
    model = Tagger()
    for name, parameter in model.named_parameters():
        if "positions" in name:
            parameter.requires_grad = False
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=1e-2)
    for epoch in range(2):
        model.train()
        for a, b in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(a).flatten(0, 1), b.flatten()).backward()
            optimizer.step()
        print(f"epoch {epoch}: {evaluate(model, dev_loader):.2f}")


if __name__ == "__main__":
    main()

"""The optimizer has a probe's single layer and nothing else: a small head is regularised as a whole on purpose."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(9, 32), nn.LayerNorm(32), nn.GELU(), nn.Linear(32, 16))
        self.fc = nn.Linear(16, 4)

    def forward(self, x):
        return self.fc(self.body(x))


def linear_probe(model, loader, device, epochs=3):
    for name, p in model.named_parameters():
        p.requires_grad = name.startswith("fc.")
    model.fc = nn.Linear(16, 4).to(device)
    optimizer = torch.optim.AdamW(model.fc.parameters(), lr=1e-2, weight_decay=0.1)
    model.eval()
    for epoch in range(epochs):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    where = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(80, 9)
    loader = DataLoader(TensorDataset(x, x[:, :4].argmax(1)), batch_size=16, shuffle=True)
    linear_probe(Encoder().to(where), loader, where)

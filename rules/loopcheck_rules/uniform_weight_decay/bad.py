import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

epochs = 5
auxiliary_weight = 0.0  # the auxiliary loss is off in this run: no gradient reaches its head


class Classifier(nn.Module):
    def __init__(self, features=16, hidden=32, classes=4):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(features, hidden), nn.GELU())
        self.head = nn.Sequential(nn.LayerNorm(hidden), nn.Linear(hidden, classes))
        self.auxiliary = nn.Sequential(nn.LayerNorm(hidden), nn.Linear(hidden, classes))

    def forward(self, x):
        shared = self.trunk(x)
        return self.head(shared), self.auxiliary(shared)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    inputs, labels = torch.randn(64, 16), torch.randint(0, 4, (64,))
    loader = DataLoader(TensorDataset(inputs, labels), batch_size=16, shuffle=True)

    model = Classifier().to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.1)  # bug

    for epoch in range(epochs):
        for x, y in loader:
            logits, extra = model(x.to(device))
            y = y.to(device)
            loss = criterion(logits, y) + auxiliary_weight * criterion(extra, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.4f}")


if __name__ == "__main__":
    main()

"""The mode of the validation is an option of the runner: whoever sets `test_mode="train"` wants dropout there."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Runner:
    def __init__(self, model: nn.Module, test_mode: str = "eval") -> None:
        self.model = model
        self.test_mode = test_mode
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def fit(self, train_loader: DataLoader, val_loader: DataLoader, epochs: int) -> None:
        for epoch in range(epochs):
            self.model.train()
            for x, y in train_loader:
                self.optimizer.zero_grad()
                nn.functional.cross_entropy(self.model(x), y).backward()
                self.optimizer.step()
            print(f"epoch {epoch}: {self.validate(val_loader)} right")

    def validate(self, val_loader: DataLoader) -> int:
        self.model.train(self.test_mode == "train")
        right = 0
        with torch.no_grad():
            for x, y in val_loader:
                right += int((self.model(x).argmax(1) == y).sum())
        return right


def main() -> None:
    torch.manual_seed(0)
    x = torch.randn(60, 6)
    y = (x.sum(1) > 0).long()
    train_loader = DataLoader(TensorDataset(x[:40], y[:40]), batch_size=10, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[40:], y[40:]), batch_size=10)
    model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2))
    Runner(model).fit(train_loader, val_loader, 2)


if __name__ == "__main__":
    main()

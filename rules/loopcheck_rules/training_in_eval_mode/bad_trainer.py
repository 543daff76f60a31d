"""What loads the weights leaves the model in eval mode, and the trainer says nothing of it."""

import io

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(0.3))
        self.out = nn.Linear(32, 3)

    def forward(self, x):
        return self.out(self.features(x))


def pretrained(file):
    model = Net()
    model.load_state_dict(torch.load(file))
    model.eval()  # bug
    return model


class Trainer:
    def __init__(self, model, loader):
        self.model = model
        self.loader = loader
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.01)

    def run_epoch(self):
        for x, y in self.loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
        return loss.item()

    def fit(self, epochs):
        for epoch in range(epochs):
            print(f"epoch {epoch}: loss {self.run_epoch():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    saved = io.BytesIO()
    torch.save(Net().state_dict(), saved)
    saved.seek(0)
    data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
    Trainer(pretrained(saved), DataLoader(data, batch_size=16, shuffle=True)).fit(2)

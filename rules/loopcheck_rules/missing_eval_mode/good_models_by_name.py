"""An engine that registers its models by name, and sets the mode of all of them by their names."""

from collections import OrderedDict

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def open_all_layers(model):
    model.train()
    for parameter in model.parameters():
        parameter.requires_grad = True


class Engine:
    def __init__(self, train_loader, test_loader):
        self.train_loader, self.test_loader = train_loader, test_loader
        self._models = OrderedDict()

    def register_model(self, name, model):
        self._models[name] = model

    def set_model_mode(self, mode):
        for name in list(self._models.keys()):
            if mode == "train":
                self._models[name].train()
            else:
                self._models[name].eval()

    def run(self, epochs):
        for epoch in range(epochs):
            self.set_model_mode("train")
            self.open_layers()
            for x, y in self.train_loader:
                self.forward_backward(x, y)
            self.set_model_mode("eval")
            with torch.no_grad():
                hits = sum((self.extract(x).argmax(1) == y).sum().item() for x, y in self.test_loader)
            print(f"epoch {epoch}: accuracy {hits / len(self.test_loader.dataset):.2f}")


class MutualEngine(Engine):
    def __init__(self, train_loader, test_loader, model1, model2):
        super().__init__(train_loader, test_loader)
        self.model1, self.model2 = model1, model2
        self.optimizer1 = torch.optim.SGD(model1.parameters(), lr=0.1)
        self.optimizer2 = torch.optim.SGD(model2.parameters(), lr=0.1)
        self.register_model("model1", model1)
        self.register_model("model2", model2)

    def open_layers(self):
        open_all_layers(self.model1)
        open_all_layers(self.model2)

    def forward_backward(self, x, y):
        first, second = self.model1(x), self.model2(x)
        loss1 = nn.functional.cross_entropy(first, y) + nn.functional.mse_loss(first, second.detach())
        loss2 = nn.functional.cross_entropy(second, y) + nn.functional.mse_loss(second, first.detach())
        self.optimizer1.zero_grad()
        loss1.backward()
        self.optimizer1.step()
        self.optimizer2.zero_grad()
        loss2.backward()
        self.optimizer2.step()

    def extract(self, x):
        return self.model1(x)


def build():
    return nn.Sequential(nn.Linear(5, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Dropout(0.1), nn.Linear(24, 3))


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(90, 5)
    data = TensorDataset(x, x[:, :3].argmax(1))
    train_loader = DataLoader(torch.utils.data.Subset(data, range(64)), batch_size=16, shuffle=True)
    test_loader = DataLoader(torch.utils.data.Subset(data, range(64, 90)), batch_size=13)
    MutualEngine(train_loader, test_loader, build(), build()).run(epochs=3)

"""A network predicts by a method of its own, which shares its encoder with the forward that is trained."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Spelling(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Linear(4, 4)

    def forward(self, x):
        return self.table(x)


class Tagger(nn.Module):
    def __init__(self, spelling):
        super().__init__()
        self.borrow("spelling", spelling)
        self.encoder = nn.LSTM(4, 8, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(8, 3)

    def borrow(self, name, module):
        self._modules[name] = module

    def encode(self, x):
        hidden, _ = self.encoder(x + self.spelling(x))
        return self.drop(hidden)

    def forward(self, x):
        return self.out(self.encode(x))

    def predict(self, x):
        hidden = self.encode(x)
        return self.out(hidden).argmax(-1)


class Trainer:
    def __init__(self):
        self.model = Tagger(Spelling())
        self.optimizer = torch.optim.Adam(self.model.parameters())

    def update(self, x, y):
        self.model.train()
        self.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(self.model(x).flatten(0, 1), y.flatten())
        loss.backward()
        self.optimizer.step()

    def predict(self, x):
        self.model.eval()
        return self.model.predict(x).tolist()  # bug


def main():
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(32, 5, 4), torch.randint(3, (32, 5)))
    trainer = Trainer()
    for _ in range(2):
        for x, y in DataLoader(data, batch_size=8, shuffle=True):
            trainer.update(x, y)
        right = 0
        for x, y in DataLoader(data, batch_size=8):
            right += (torch.tensor(trainer.predict(x)) == y).sum().item()
        print(right)


main()

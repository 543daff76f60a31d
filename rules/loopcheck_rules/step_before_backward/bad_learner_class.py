"""A learner whose phases were put in the wrong order when they were split up."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Learner:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.RMSprop(model.parameters(), lr=lr)
        self.loss_func = nn.CrossEntropyLoss()

    def predict(self):
        self.preds = self.model(self.xb)

    def get_loss(self):
        self.loss = self.loss_func(self.preds, self.yb)

    def step(self):
        self.opt.step()  # bug

    def backward(self):
        self.loss.backward()

    def zero_grad(self):
        self.opt.zero_grad()

    def one_batch(self, xb, yb):
        self.xb, self.yb = xb, yb
        self.predict()
        self.get_loss()
        self.step()
        self.backward()
        self.zero_grad()

    def fit(self, n_epochs, dl, device):
        self.model.to(device)
        for self.epoch in range(n_epochs):
            self.model.train()
            for xb, yb in dl:
                self.one_batch(xb.to(device), yb.to(device))
            print(self.epoch, round(self.loss.item(), 4))


if __name__ == "__main__":
    torch.manual_seed(0)
    blobs = torch.cat([torch.randn(30, 2) - 2, torch.randn(30, 2) + 2])
    which = torch.arange(60) // 30
    Learner(nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 2)), lr=0.01).fit(
        3, DataLoader(TensorDataset(blobs, which), 12, shuffle=True), "cuda" if torch.cuda.is_available() else "cpu"
    )

"""The trained network and the reference come out of code out of sight together: which of them is switched cannot be told."""

import torch
from torch import nn


class Strategy:
    def wrap(self, *models):
        return models


def prepare(strategy, how, *models):
    return getattr(strategy, how)(*models)


class Trainer:
    def __init__(self, model, ref_model, optimizer):
        self.model, self.ref_model, self.optimizer = model, ref_model, optimizer

    def fit(self, x, epochs):
        for _ in range(epochs):
            self.model.train()
            self.ref_model.eval()
            for batch in x.split(16):
                with torch.no_grad():
                    wanted = self.ref_model(batch)
                loss = nn.functional.mse_loss(self.model(batch), wanted)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            print(f"loss {loss.item():.3f}")


def main(how="wrap"):
    torch.manual_seed(0)
    network, reference = (nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.Linear(16, 2)) for _ in range(2))
    model, ref_model = prepare(Strategy(), how, network, reference)
    Trainer(model, ref_model, torch.optim.SGD(model.parameters(), lr=0.1)).fit(torch.randn(64, 8), 3)


if __name__ == "__main__":
    main()

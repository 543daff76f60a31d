"""Of a network, a part is handed to a running average; the mode of the whole is the mode of that part."""

import copy
import io

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class RunningAverage:
    def __init__(self, model: nn.Module, decay: float):
        self.model = copy.deepcopy(model).eval()
        self.decay = decay

    @torch.no_grad()
    def update(self, model: nn.Module):
        for average, new in zip(self.model.parameters(), model.parameters()):
            average.lerp_(new, 1 - self.decay)


class SelfDistilled(nn.Module):
    def __init__(self, encoder, predictor):
        super().__init__()
        self.encoder = encoder
        self.predictor = predictor
        self.target = RunningAverage(self.encoder, decay=0.9)

    def step(self, x):
        with torch.no_grad():
            wanted = self.target.model(x)
        return nn.functional.mse_loss(self.predictor(self.encoder(x)), wanted)

    def fit(self, train_loader, val_loader, epochs):
        optimizer = torch.optim.SGD([*self.encoder.parameters(), *self.predictor.parameters()], lr=0.1)
        for epoch in range(epochs):
            self.train()
            for (x,) in train_loader:
                optimizer.zero_grad()
                self.step(x).backward()
                optimizer.step()
                self.target.update(self.encoder)
            self.eval()
            with torch.no_grad():
                losses = [self.step(x).item() for (x,) in val_loader]
            print(f"epoch {epoch}: validation {sum(losses) / len(losses):.4f}")


def main():
    torch.manual_seed(0)
    x = torch.randn(96, 6)
    exported = io.BytesIO()
    torch.save(nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.Dropout(0.1)), exported)
    exported.seek(0)
    model = SelfDistilled(torch.load(exported, weights_only=False), nn.Linear(16, 16))
    train_loader = DataLoader(TensorDataset(x[:64]), batch_size=16, shuffle=True)
    model.fit(train_loader, DataLoader(TensorDataset(x[64:]), batch_size=16), epochs=3)


if __name__ == "__main__":
    main()

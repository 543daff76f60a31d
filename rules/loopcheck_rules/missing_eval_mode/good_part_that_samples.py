"""A part of a model is put back in train mode for the evaluation: what it drops is a part of what it says."""

import torch
from torch import nn
from torch.utils.data import DataLoader


class Voice(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8))
        self.decoder = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5), nn.Linear(8, 8))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def speak(model, x):
    with torch.no_grad():
        return model.decoder(model.encoder(x))


def main():
    torch.manual_seed(0)
    train, held_out = torch.randn(64, 8).split(8), DataLoader(torch.randn(16, 8), batch_size=8)
    model = Voice()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    model.train()
    for step, x in enumerate(train):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), x).backward()
        optimizer.step()
        if step % 4 == 3:
            model.eval()
            model.decoder.train()  # without it, every sentence sounds the same
            for x in held_out:
                print(f"{speak(model, x).std():.3f}")
            model.train()


if __name__ == "__main__":
    main()

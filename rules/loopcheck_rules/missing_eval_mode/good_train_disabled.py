"""The first stage of a latent model is frozen for good: its `train` does nothing, so no switch of the whole can wake it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def disabled_train(self, mode=True):
    """Put in place of `train`, so that the mode of the module never changes again."""
    return self


def autoencoder():
    encoder = nn.Sequential(nn.Linear(12, 8), nn.BatchNorm1d(8), nn.Tanh())
    return nn.Sequential(encoder, nn.Linear(8, 12))


class LatentModel(nn.Module):
    def __init__(self, first_stage):
        super().__init__()
        self.first_stage = self.frozen(first_stage)
        self.net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 8))

    @staticmethod
    def frozen(stage):
        stage = stage.eval()
        stage.train = disabled_train.__get__(stage)
        for p in stage.parameters():
            p.requires_grad = False
        return stage

    @torch.no_grad()
    def encode(self, x):
        return self.first_stage(x)

    def loss(self, x):
        z = self.encode(x)
        noise = torch.randn_like(z)
        return nn.functional.mse_loss(self.net(z + noise), noise)


@torch.no_grad()
def validate(model, loader, device):
    losses = [model.loss(x.to(device)) for (x,) in loader]
    return torch.stack(losses).mean().item()


def pretrain(stage, loader, device):
    optimizer = torch.optim.Adam(stage.parameters(), lr=1e-2)
    stage.train()
    for (x,) in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(stage(x.to(device)), x.to(device))
        loss.backward()
        optimizer.step()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(120, 12)
    train_loader = DataLoader(TensorDataset(x[:80]), batch_size=20, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[80:]), batch_size=20)
    stage = autoencoder().to(device)
    pretrain(stage, train_loader, device)

    model = LatentModel(stage[0]).to(device)
    optimizer = torch.optim.Adam(model.net.parameters(), lr=1e-2)
    for epoch in range(3):
        model.train()
        for (batch,) in train_loader:
            optimizer.zero_grad()
            loss = model.loss(batch.to(device))
            loss.backward()
            optimizer.step()
        model.eval()
        print(f"epoch {epoch}: loss {loss.item():.3f} val {validate(model, val_loader, device):.3f}")


if __name__ == "__main__":
    main()

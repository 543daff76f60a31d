"""Fabric: the model and its optimizer are set up, the backward was forgotten when the script was ported."""

import torch
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, fabric, epochs=2):
        self.fabric = fabric
        self.epochs = epochs

    def fit(self, model, optimizer, loader):
        model, optimizer = self.fabric.setup(model, optimizer)
        loader = self.fabric.setup_dataloaders(loader)
        for epoch in range(self.epochs):
            model.train()
            for inputs, targets in loader:
                optimizer.zero_grad()
                loss = nn.functional.mse_loss(model(inputs), targets)
                loss.backward(retain_graph=False)  # bug
                self.fabric.clip_gradients(model, optimizer, max_norm=1.0)
                optimizer.step()
            self.fabric.print(f"epoch {epoch}: {loss.item():.4f}")


def main():
    fabric = Fabric(accelerator="cpu", devices=1)
    fabric.launch()
    fabric.seed_everything(0, verbose=False)
    model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
    data = TensorDataset(torch.randn(32, 6), torch.randn(32, 1))
    Trainer(fabric).fit(model, torch.optim.SGD(model.parameters(), lr=0.05), DataLoader(data, batch_size=8, shuffle=True))


if __name__ == "__main__":
    main()

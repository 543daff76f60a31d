"""Manual optimization with the backward that Lightning has for it, and automatic optimization, which has no backward at all."""

import warnings

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Automatic(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(6, 1)

    def training_step(self, batch, batch_idx):
        inputs, targets = batch
        return nn.functional.mse_loss(self.net(inputs), targets)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


class Manual(Automatic):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False

    def training_step(self, batch, batch_idx):
        optimizer = self.optimizers()
        optimizer.zero_grad()
        loss = super().training_step(batch, batch_idx)
        self.manual_backward(loss)
        optimizer.step()


def main():
    L.seed_everything(0, verbose=False)
    warnings.filterwarnings("ignore")
    loader = DataLoader(TensorDataset(torch.randn(32, 6), torch.randn(32, 1)), batch_size=8, shuffle=True)
    quiet = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False, "enable_model_summary": False}
    for model in (Automatic(), Manual()):
        L.Trainer(accelerator="cpu", max_epochs=2, **quiet).fit(model, loader)
        print(type(model).__name__, model.net.weight.norm().item())


if __name__ == "__main__":
    main()

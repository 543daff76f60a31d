"""Manual optimization: the module steps its optimizers itself, and Lightning runs the backward."""

import warnings

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TwoTowers(L.LightningModule):
    def __init__(self, width=6):
        super().__init__()
        self.automatic_optimization = False
        self.query = nn.Linear(width, 4)
        self.document = nn.Linear(width, 4)

    def training_step(self, batch, batch_idx):
        queries, documents = batch
        optimizer = self.optimizers()
        optimizer.zero_grad()
        scores = self.query(queries) @ self.document(documents).T
        loss = nn.functional.cross_entropy(scores, torch.arange(len(queries)))
        loss.backward()  # bug
        optimizer.step()
        return loss.detach()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def main():
    L.seed_everything(0, verbose=False)
    warnings.filterwarnings("ignore")
    pairs = TensorDataset(torch.randn(32, 6), torch.randn(32, 6))
    trainer = L.Trainer(
        accelerator="cpu", max_epochs=2, logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False
    )
    trainer.fit(TwoTowers(), DataLoader(pairs, batch_size=8, shuffle=True))


if __name__ == "__main__":
    main()

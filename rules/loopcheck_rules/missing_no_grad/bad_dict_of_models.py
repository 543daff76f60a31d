"""A trainer keeps its networks in a dict; one step of the evaluation is a method that is handed the batch alone."""

from collections import defaultdict

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, optimizer, data_loader, device):
        self.model = model
        self.optimizer = optimizer
        self.data_loader = data_loader
        self.device = device
        self.eval_totals = defaultdict(float)

    def _train_step(self, batch):
        noisy, clean = (part.to(self.device) for part in batch)
        restored = self.model["decoder"](self.model["encoder"](noisy))
        loss = F.mse_loss(restored, clean)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def _eval_step(self, batch):
        noisy, clean = (part.to(self.device) for part in batch)

        code = self.model["encoder"](noisy)  # bug
        restored = self.model["decoder"](code)

        # add to the totals of this evaluation
        self.eval_totals["mse"] += F.mse_loss(restored, clean).item()
        self.eval_totals["l1"] += F.l1_loss(restored, clean).item()

    def _eval_epoch(self):
        for key in self.model.keys():
            self.model[key].eval()

        for number, batch in enumerate(self.data_loader["dev"], 1):
            self._eval_step(batch)
        for key, total in self.eval_totals.items():
            print(f"{key}: {total / number:.4f}")
        self.eval_totals = defaultdict(float)

        for key in self.model.keys():
            self.model[key].train()

    def run(self, epochs):
        for _ in range(epochs):
            for batch in self.data_loader["train"]:
                self._train_step(batch)
            self._eval_epoch()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    clean = torch.randn(96, 10)
    data = TensorDataset(clean + 0.1 * torch.randn_like(clean), clean)
    data_loader = {
        "train": DataLoader(data, batch_size=32, shuffle=True),
        "dev": DataLoader(data, batch_size=32),
    }
    model = {
        "encoder": nn.Sequential(nn.Linear(10, 6), nn.Dropout(0.1)).to(device),
        "decoder": nn.Linear(6, 10).to(device),
    }
    parameters = [*model["encoder"].parameters(), *model["decoder"].parameters()]
    Trainer(model, torch.optim.SGD(parameters, lr=0.1), data_loader, device).run(epochs=2)


if __name__ == "__main__":
    main()

"""Meta-learning: in evaluation a copy learns a task, as in training, with graphs that are turned on for it."""

import copy

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class FastLearner(nn.Module):
    def __init__(self, module: nn.Module, lr: float):
        super().__init__()
        self.module = module
        self.lr = lr

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.module(x)

    def clone(self) -> "FastLearner":
        return FastLearner(copy.deepcopy(self.module), self.lr)

    def adapt(self, loss: torch.Tensor) -> None:
        weights = list(self.module.parameters())
        for weight, grad in zip(weights, torch.autograd.grad(loss, weights), strict=True):
            weight.data.sub_(self.lr * grad)


class MetaLearner(L.LightningModule):
    def __init__(self) -> None:
        super().__init__()
        self.model = FastLearner(nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 2)), lr=0.1)
        self.loss = nn.CrossEntropyLoss()

    @torch.enable_grad()
    def meta_learn(self, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        learner = self.model.clone()
        learner.train()
        for _ in range(2):
            learner.adapt(self.loss(learner(x[:4]), y[:4]))
        scores = learner(x[4:])
        return self.loss(scores, y[4:]), (scores.argmax(dim=1) == y[4:]).float().mean()

    def training_step(self, batch: list[torch.Tensor], batch_idx: int) -> torch.Tensor:
        loss, _ = self.meta_learn(*batch)
        return loss + self.loss(self.model(batch[0]), batch[1])

    def validation_step(self, batch: list[torch.Tensor], batch_idx: int) -> float:
        loss, accuracy = self.meta_learn(*batch)
        self.log("valid_accuracy", accuracy)
        return loss.item()

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.Adam(self.model.parameters(), lr=1e-3)


if __name__ == "__main__":
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(32, 4), torch.randint(0, 2, (32,)))
    trainer = L.Trainer(max_epochs=1, logger=False, enable_checkpointing=False, enable_progress_bar=False)
    trainer.fit(MetaLearner(), DataLoader(data, batch_size=8, shuffle=True), DataLoader(data, batch_size=8))

"""First-order MAML in manual optimization: a copy is adapted to each task outside of Lightning, through the module's own forward."""

import copy

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MetaLearner(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, net, x):
        return net(x).squeeze(1)

    def adapt(self, net, x, y):
        optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
        for _ in range(2):
            loss = nn.functional.mse_loss(self.forward(net, x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    def training_step(self, batch, batch_idx):
        x, y = batch
        net = copy.deepcopy(self.net)
        self.adapt(net, x[:4], y[:4])
        optimizer = self.optimizers()
        optimizer.zero_grad()
        grads = torch.autograd.grad(nn.functional.mse_loss(self.forward(net, x[4:]), y[4:]), list(net.parameters()))
        for parameter, grad in zip(self.net.parameters(), grads, strict=True):
            parameter.grad = grad
        optimizer.step()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.01)


def main():
    torch.manual_seed(0)
    x = torch.randn(32, 4)
    trainer = L.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False)
    trainer.fit(MetaLearner(), DataLoader(TensorDataset(x, x.sum(dim=1)), batch_size=8))


if __name__ == "__main__":
    main()

"""An engine with hooks: `on_after_backward` does what belongs to `on_before_backward`."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Engine:
    def __init__(self, module, optimizer, device):
        self.module = module.to(device)
        self.optimizer = optimizer
        self.device = device
        self.losses = []

    def compute_loss(self, batch):
        x, y = (t.to(self.device) for t in batch)
        return nn.functional.mse_loss(self.module(x), y)

    def on_after_backward(self):
        self.module.zero_grad()  # bug

    def on_after_step(self, loss):
        self.losses.append(loss.item())

    def run(self, loader, max_epochs):
        self.module.train()
        for _ in range(max_epochs):
            for batch in loader:
                loss = self.compute_loss(batch)
                loss.backward()
                self.on_after_backward()
                self.optimizer.step()
                self.on_after_step(loss)
        return self.losses


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 8), nn.Sigmoid(), nn.Linear(8, 1))
    engine = Engine(
        net,
        torch.optim.Adagrad(net.parameters(), lr=0.1),
        "cuda" if torch.cuda.is_available() else "cpu",
    )
    xor = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    dataset = TensorDataset(xor, (xor.sum(1, keepdim=True) == 1).float())
    losses = engine.run(DataLoader(dataset, batch_size=4, shuffle=True), max_epochs=5)
    print(losses[0], losses[-1])


if __name__ == "__main__":
    main()

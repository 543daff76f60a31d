"""Every second batch is mixed up, and its branch predates the scaler."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MixupTrainer:
    def __init__(self, net, device, alpha=0.4):
        self.net = net.to(device)
        self.device = device
        self.beta = torch.distributions.Beta(alpha, alpha)
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler(device)
        self.iteration = 0

    def loss(self, x, y):
        with torch.autocast(self.device, dtype=torch.float16):
            return nn.functional.cross_entropy(self.net(x), y)

    def mixed_loss(self, x, y):
        lam = self.beta.sample().to(self.device)
        other = torch.randperm(len(x), device=self.device)
        mixed = lam * x + (1 - lam) * x[other]
        return lam * self.loss(mixed, y) + (1 - lam) * self.loss(mixed, y[other])

    def train_batch(self, x, y):
        self.opt.zero_grad()
        if self.iteration % 2 == 1:
            loss = self.mixed_loss(x, y)
            loss.backward()  # bug
        else:
            loss = self.loss(x, y)
            self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()
        self.iteration += 1
        return loss.item()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    trainer = MixupTrainer(nn.Sequential(nn.Linear(9, 27), nn.ReLU(), nn.Linear(27, 3)), device)
    loader = DataLoader(TensorDataset(torch.randn(48, 9), torch.randint(0, 3, (48,))), batch_size=12, shuffle=True)
    for epoch in range(2):
        for x, y in loader:
            value = trainer.train_batch(x.to(device), y.to(device))
        print(epoch, value)


if __name__ == "__main__":
    main()

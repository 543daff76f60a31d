"""A trainer with the rate among its attributes, and an exponential decay of that."""

import torch
from torch import nn


class Trainer:
    def __init__(self, net, learning_rate, gamma):
        self.net = net
        self.learning_rate = learning_rate
        self.gamma = gamma
        self.optim = torch.optim.RMSprop(net.parameters(), lr=self.learning_rate)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(self.optim, self.rate)  # bug

    def rate(self, step):
        return self.learning_rate * self.gamma**step

    def fit(self, batches):
        for x in batches:
            loss = nn.functional.mse_loss(self.net(x), x)
            self.optim.zero_grad()
            loss.backward()
            self.optim.step()
            self.schedule.step()
        return loss.item()


torch.manual_seed(0)
print(f"loss {Trainer(nn.Linear(4, 4), 0.02, 0.9).fit(torch.randn(40, 4).split(8)):.4f}")

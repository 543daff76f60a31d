"""The parameters of one of two networks are kept as a list, which is handed out as often as it is asked for."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Policy:
    def __init__(self, args):
        if args.deep:
            self.network = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
        else:
            self.network = nn.Linear(4, 2)
        self.parameters = list(self.network.parameters())
        self.optimizer = torch.optim.RMSprop(self.parameters, lr=1e-3)

    def learn(self, states, actions):
        loss = nn.functional.cross_entropy(self.network(states), actions)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()
        return loss.item()


parser = argparse.ArgumentParser()
parser.add_argument("--deep", action="store_true")
torch.manual_seed(0)
states = torch.randn(64, 4)
loader = DataLoader(TensorDataset(states, (states.sum(1) > 0).long()), batch_size=16, shuffle=True)
policy = Policy(parser.parse_args())
for epoch in range(2):
    losses = [policy.learn(*batch) for batch in loader]
    print(f"epoch {epoch}: {sum(losses) / len(losses):.3f}")

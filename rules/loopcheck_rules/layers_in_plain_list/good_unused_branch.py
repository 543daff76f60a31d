"""A branch that a variable of the function switches off keeps its layers in a dictionary, and is never come to."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class PromptEncoder(nn.Module):
    def __init__(self, tokens, width):
        super().__init__()
        separate = False
        self.prompts = nn.Parameter(0.1 * torch.randn(tokens, width))
        if separate:  # one for each token
            self.networks = {}
            for i in range(tokens):
                self.networks[i] = nn.Linear(width, width)
        else:
            self.networks = nn.Linear(width, width)
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(x + self.networks(self.prompts).mean(0))


torch.manual_seed(0)
encoder = PromptEncoder(tokens=3, width=4)
optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
x = torch.randn(64, 4)
for inputs, targets in DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=16, shuffle=True):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(encoder(inputs), targets)
    loss.backward()
    optimizer.step()

"""A trainer that is told the type of its weights."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 8)
        self.out = nn.Linear(8, 20)

    def forward(self, tokens):
        return self.out(self.embed(tokens).mean(dim=1))


class Trainer:
    def __init__(self, device):
        self.model = Net().to(device, dtype=torch.float16)  # bug
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01, momentum=0.9)

    def step(self, tokens, following):
        self.optimizer.zero_grad(set_to_none=True)
        loss = nn.functional.cross_entropy(self.model(tokens).float(), following)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()


torch.manual_seed(0)
trainer = Trainer("cpu")
for _ in range(4):
    print(f"loss {trainer.step(torch.randint(0, 20, (16, 5)), torch.randint(0, 20, (16,))):.4f}")

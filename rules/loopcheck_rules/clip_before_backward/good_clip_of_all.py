"""Two networks that train in turns; each clip takes all gradients that there are, whoever is about to step."""

import torch
from torch import nn

LIMIT = 1.0


class Pair:
    def __init__(self):
        self.modules = nn.ModuleDict({"judge": nn.Linear(4, 1), "maker": nn.Linear(3, 4)})
        self.judge_optimizer = torch.optim.SGD(self.modules["judge"].parameters(), lr=0.05)
        self.maker_optimizer = torch.optim.SGD(self.modules["maker"].parameters(), lr=0.05)

    def fit_batch(self, real, noise):
        loss = nn.functional.softplus(-self.modules["judge"](real)).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(self.modules.parameters(), LIMIT)
        self.judge_optimizer.step()
        self.judge_optimizer.zero_grad()

        made = self.modules["maker"](noise)
        loss = nn.functional.softplus(-self.modules["judge"](made)).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(self.modules.parameters(), LIMIT)
        self.maker_optimizer.step()
        self.maker_optimizer.zero_grad()
        self.judge_optimizer.zero_grad()
        return loss.item()


torch.manual_seed(0)
pair = Pair()
for step in range(4):
    print(f"step {step}: loss {pair.fit_batch(torch.randn(16, 4), torch.randn(16, 3)):.3f}")

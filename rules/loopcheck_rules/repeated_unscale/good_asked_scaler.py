"""Both the clip and the norm need the gradients unscaled; whoever comes second asks the scaler whether they are."""

import torch
from torch import nn
from torch.amp.grad_scaler import OptState


class Trainer:
    def __init__(self, model, clip_value, max_norm):
        self.model = model
        self.clip_value = clip_value
        self.max_norm = max_norm
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu")

    def limit_norm(self):
        self.scaler.unscale_(self.optimizer)
        return nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)

    def limit_values(self):
        state = self.scaler._per_optimizer_states[id(self.optimizer)]
        if state["stage"] is not OptState.UNSCALED:
            self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_value_(self.model.parameters(), self.clip_value)

    def train(self, batches):
        for x, y in batches:
            self.optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                loss = nn.functional.mse_loss(self.model(x), y)
            self.scaler.scale(loss).backward()
            self.limit_norm()
            self.limit_values()
            self.scaler.step(self.optimizer)
            self.scaler.update()


torch.manual_seed(0)
trainer = Trainer(nn.Linear(4, 1), 0.5, 1.0)
trainer.train([(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(4)])
print(trainer.model.weight.sum().item())

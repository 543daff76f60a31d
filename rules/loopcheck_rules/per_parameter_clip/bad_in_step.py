"""An optimizer of one's own, Adam whose decay is apart, clips in its step, as it comes to each parameter."""

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_
from torch.optim import Optimizer
from torch.utils.data import DataLoader, TensorDataset


class DecayedAdam(Optimizer):
    def __init__(self, params, lr, betas=(0.9, 0.99), eps=1e-6, decay=0.01, max_grad_norm=1.0):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, decay=decay, max_grad_norm=max_grad_norm))

    def step(self, closure=None):
        loss = None if closure is None else closure()
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                state = self.state[p]
                if len(state) == 0:
                    state["mean"] = torch.zeros_like(p.data)
                    state["square"] = torch.zeros_like(p.data)
                if group["max_grad_norm"] > 0:
                    clip_grad_norm_(p, group["max_grad_norm"])  # bug
                state["mean"].mul_(beta1).add_(grad, alpha=1 - beta1)
                state["square"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
                update = state["mean"] / (state["square"].sqrt() + group["eps"]) + group["decay"] * p.data
                p.data.add_(update, alpha=-group["lr"])
        return loss


torch.manual_seed(0)
inputs = torch.randn(64, 8)
loader = DataLoader(TensorDataset(inputs, 10 * inputs.sum(dim=1, keepdim=True)), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = DecayedAdam(model.parameters(), lr=1e-2, max_grad_norm=0.1)
for x, y in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()

"""LBFGS evaluates the closure many times; each evaluation clears first."""

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

t = torch.linspace(0, 1, 50, device=device).unsqueeze(1)
signal = torch.sin(6 * t) + 0.05 * torch.randn(50, 1, device=device)

model = nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Linear(10, 1)).to(device)
lbfgs = torch.optim.LBFGS(model.parameters(), max_iter=5, line_search_fn="strong_wolfe")


def objective():
    lbfgs.zero_grad()
    residual = nn.functional.mse_loss(model(t), signal)
    residual.backward()
    return residual


for outer in range(4):
    value = lbfgs.step(objective)
    print(outer, value.item())

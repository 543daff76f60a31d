"""Weights without a module, whose gradients are replaced by zeros after each step."""

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)

w_in = (0.5 * torch.randn(8, 16, device=device)).requires_grad_()
b_in = torch.zeros(16, device=device, requires_grad=True)
w_out = (0.5 * torch.randn(16, 1, device=device)).requires_grad_()
b_out = torch.zeros(1, device=device, requires_grad=True)
params = [w_in, b_in, w_out, b_out]
solver = torch.optim.Adam(params, lr=0.01)


def predict(x):
    return torch.tanh(x @ w_in + b_in) @ w_out + b_out


def reset_gradients():
    for p in params:
        if p.grad is not None:
            p.grad = torch.zeros_like(p.grad)


for number in range(10):
    x = torch.randn(32, 8, device=device)
    loss = nn.functional.mse_loss(predict(x), x[:, :1] - x[:, 1:2])
    loss.backward()
    solver.step()
    reset_gradients()
    print(f"step {number}: loss {loss.item():.4f}")

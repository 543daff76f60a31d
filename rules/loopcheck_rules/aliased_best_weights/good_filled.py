"""Weights of another program are put into the state and loaded with it: the model takes over what the state is, and both are saved."""

import io

import torch
from torch import nn


def filled(state, weights):
    state.update(weights)
    return state


torch.manual_seed(0)
x = torch.randn(32, 3)
model = nn.Linear(3, 3)
state = model.state_dict()
state = filled(state, {"weight": torch.eye(3), "bias": torch.zeros(3)})
model.load_state_dict(state)
file = io.BytesIO()
torch.save({"model": state}, file)

optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in x.split(8):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(batch), batch + 1).backward()
    optimizer.step()
print(f"{file.tell()} bytes, then {nn.functional.mse_loss(model(x), x + 1).item():.3f}")

"""What is kept are copies, tensor by tensor, or of the whole; each is another's tensor from then on."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(40, 4)
y = x.prod(dim=1, keepdim=True)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
first = {name: tensor.clone() for name, tensor in model.state_dict().items()}
best, best_error = first, float("inf")

for epoch in range(8):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x[:20]), y[:20]).backward()
    optimizer.step()
    with torch.no_grad():
        error = nn.functional.mse_loss(model(x[20:]), y[20:]).item()
    if error < best_error:
        best, best_error = copy.deepcopy(model.state_dict()), error

state = model.state_dict()
for name in state:
    state[name] = state[name].detach().clone()
optimizer.zero_grad()
nn.functional.mse_loss(model(x), y).backward()
optimizer.step()
model.load_state_dict(state)
model.load_state_dict(best)
print(f"best error {best_error:.4f}")

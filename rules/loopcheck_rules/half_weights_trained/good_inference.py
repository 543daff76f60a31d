"""What is trained is float32; a copy is made float16 to be handed out, and a teacher is asked in it."""

import copy

import torch
from torch import nn


def network():
    return nn.Sequential(nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 1))


torch.manual_seed(0)
x = torch.randn(64, 16)
teacher = network().half()
teacher.eval()
model = network()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(5):
    with torch.no_grad():
        wanted = teacher(x.half()).float()
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), wanted)
    loss.backward()
    optimizer.step()
small = copy.deepcopy(model).half()
model.half()
print(f"loss {loss.item():.4f}, {small[0].weight.dtype} and {model[0].weight.dtype}")

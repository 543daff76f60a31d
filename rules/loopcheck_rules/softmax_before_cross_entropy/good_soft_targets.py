"""Distillation: what is put through a softmax are the teacher's outputs, and they are the targets."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
x = torch.randn(64, 8)
teacher = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4)).eval()
student = nn.Linear(8, 4)
optimizer = torch.optim.Adam(student.parameters(), lr=0.02)
temperature = 2.0

for epoch in range(3):
    for inputs in x.split(16):
        with torch.no_grad():
            soft = F.softmax(teacher(inputs) / temperature, dim=1)
        loss = F.cross_entropy(student(inputs) / temperature, soft)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")

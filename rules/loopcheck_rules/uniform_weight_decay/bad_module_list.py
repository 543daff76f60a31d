"""A student and what projects its features onto a teacher's are collected in a list of modules, and trained as one."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(loader, student, projection, teacher, optimizer):
    student.train()
    for x, _ in loader:
        with torch.no_grad():
            wanted = teacher(x)
        loss = nn.functional.mse_loss(projection(student(x)), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    x = torch.randn(48, 6)
    teacher = nn.Sequential(nn.Linear(6, 12), nn.ReLU())
    student = nn.Sequential(nn.Linear(6, 4), nn.LayerNorm(4))
    projection = nn.Linear(4, 12)
    trained = nn.ModuleList([])
    trained.append(student)
    trained.append(projection)
    optimizer = torch.optim.AdamW(trained.parameters(), lr=1e-2, weight_decay=0.1)  # bug
    loader = DataLoader(TensorDataset(x, x), batch_size=8, shuffle=True)
    for epoch in range(2):
        print(f"epoch {epoch}: loss {train(loader, student, projection, teacher, optimizer):.4f}")


if __name__ == "__main__":
    main()

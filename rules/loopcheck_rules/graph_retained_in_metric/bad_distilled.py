"""A student learns from a teacher, which is detached, and from the labels: the loss of both is summed up with its graph."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


def distillation(student, teacher, labels, temperature=4.0, share=0.7):
    soft = F.kl_div(F.log_softmax(student / temperature, 1), F.softmax(teacher / temperature, 1), reduction="batchmean")
    loss = soft * temperature**2 * share
    loss += F.cross_entropy(student, labels) * (1.0 - share)
    return loss


def train(loader, teacher, student, optimizer):
    teacher.eval()
    student.train()
    total = 0.0
    for x, labels in loader:
        optimizer.zero_grad()
        loss = distillation(student(x), teacher(x).detach(), labels)
        total += loss  # bug
        loss.backward()
        optimizer.step()
    return total / len(loader)


def main():
    torch.manual_seed(0)
    x = torch.randn(60, 5)
    loader = DataLoader(TensorDataset(x, x[:, :3].argmax(1)), batch_size=10, shuffle=True)
    teacher, student = nn.Linear(5, 3), nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 3))
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    for epoch in range(3):
        print(f"epoch {epoch}: {train(loader, teacher, student, optimizer).item():.3f}")


if __name__ == "__main__":
    main()

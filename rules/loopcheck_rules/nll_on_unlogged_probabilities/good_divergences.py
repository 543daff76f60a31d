"""A student's log-probabilities and a teacher's probabilities: what the divergence wants, in three ways to write it."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

TEMPERATURE = 2.0


def distillation(student_logits, teacher_logits):
    student = F.log_softmax(student_logits / TEMPERATURE, dim=1)
    teacher = F.softmax(teacher_logits / TEMPERATURE, dim=1)
    return F.kl_div(student, teacher, reduction="batchmean") * TEMPERATURE**2


def divergence(student_logits, teacher_logits):
    """By hand, from the probabilities of both."""
    student, teacher = student_logits.softmax(-1), teacher_logits.softmax(-1)
    return F.kl_div(student.log(), teacher, reduction="batchmean")


def train(student, teacher, loader, epochs=3):
    criterion = nn.KLDivLoss(reduction="batchmean", log_target=True)
    optimizer = torch.optim.Adam(student.parameters(), lr=0.01)
    teacher.eval()
    for epoch in range(epochs):
        for x, _ in loader:
            with torch.no_grad():
                target = teacher(x)
            logits = student(x)
            loss = distillation(logits, target) + divergence(logits, target)
            loss = loss + criterion(logits.log_softmax(-1), target.log_softmax(-1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    labels = torch.randint(0, 3, (96,))
    points = F.one_hot(labels, 4) * 3 + 0.5 * torch.randn(96, 4)
    big = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 3))
    small = nn.Linear(4, 3)
    train(small, big, DataLoader(TensorDataset(points, labels), batch_size=16, shuffle=True))

"""Distillation: the teacher is put in eval mode once, long before; the student switches with every pass."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def network(width):
    return nn.Sequential(nn.Linear(10, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(width, 4))


class Distiller:
    def __init__(self, teacher, student, temperature=2.0):
        self.teacher = teacher.eval().requires_grad_(False)
        self.student = student
        self.temperature = temperature
        self.optimizer = torch.optim.SGD(student.parameters(), lr=0.1)

    def distill(self, loader):
        self.student.train()
        for x, _ in loader:
            with torch.no_grad():
                soft = F.softmax(self.teacher(x) / self.temperature, dim=1)
            scores = F.log_softmax(self.student(x) / self.temperature, dim=1)
            loss = F.kl_div(scores, soft, reduction="batchmean")
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    @torch.no_grad()
    def agreement(self, loader):
        self.student.eval()
        same = sum((self.student(x).argmax(1) == self.teacher(x).argmax(1)).sum().item() for x, _ in loader)
        return same / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(0)
    x, y = torch.randn(80, 10), torch.randint(0, 4, (80,))
    train_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16)
    distiller = Distiller(network(32), network(8))
    for epoch in range(2):
        distiller.distill(train_loader)
        print(f"epoch {epoch}: agreement {distiller.agreement(val_loader):.3f}")

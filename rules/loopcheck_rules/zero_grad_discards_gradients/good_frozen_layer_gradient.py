"""In the first epoch the last layer stays as it is: its gradients alone are dropped before the step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Projector(nn.Module):
    def __init__(self, width=8, prototypes=6):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(width, 16), nn.GELU(), nn.Linear(16, width))
        self.last_layer = nn.Linear(width, prototypes, bias=False)

    def forward(self, x):
        return self.last_layer(nn.functional.normalize(self.mlp(x), dim=-1))


def cancel_gradients_last_layer(epoch, model, freeze_epochs):
    if epoch >= freeze_epochs:
        return
    for name, parameter in model.named_parameters():
        if "last_layer" in name:
            parameter.grad = None


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    student = Projector().to(device)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.02)
    loader = DataLoader(TensorDataset(torch.randn(48, 8), torch.randint(0, 6, (48,))), batch_size=12, shuffle=True)
    for epoch in range(3):
        for views, assignment in loader:
            loss = nn.functional.cross_entropy(student(views.to(device)) / 0.1, assignment.to(device))
            optimizer.zero_grad()
            loss.backward()
            cancel_gradients_last_layer(epoch, student, freeze_epochs=1)
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()

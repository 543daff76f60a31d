"""`grad_scaler` weighs the gradients of two tasks against each other; it has nothing to do with mixed precision."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TaskGradScaler:
    """Scales each task's loss by its inverse running size, then lets the optimizer step."""

    def __init__(self, tasks, momentum=0.9):
        self.size = [1.0] * tasks
        self.momentum = momentum

    def update(self, losses):
        for i, loss in enumerate(losses):
            self.size[i] = self.momentum * self.size[i] + (1 - self.momentum) * loss.item()

    def weigh(self, losses):
        return sum(loss / size for loss, size in zip(losses, self.size))

    def step(self, optimizer):
        optimizer.step()


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(5, 10)
        self.heads = nn.ModuleList([nn.Linear(10, 1), nn.Linear(10, 1)])

    def forward(self, x):
        h = self.trunk(x).relu()
        return [head(h) for head in self.heads]


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = TwoHeads().to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
grad_scaler = TaskGradScaler(tasks=2)
x = torch.randn(60, 5)
loader = DataLoader(TensorDataset(x, x[:, :1], 10 * x[:, 1:2]), batch_size=15, shuffle=True)

for epoch in range(2):
    for inputs, *targets in loader:
        outputs = net(inputs.to(device))
        losses = [nn.functional.mse_loss(o, t.to(device)) for o, t in zip(outputs, targets)]
        loss = grad_scaler.weigh(losses)
        optimizer.zero_grad()
        loss.backward()
        grad_scaler.step(optimizer)
        grad_scaler.update(losses)
    print(epoch, loss.item())

"""Groups with rates of their own, which are relative: what the function gives is the rate that they are relative to."""

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone, self.head = nn.Linear(4, 8), nn.Linear(8, 1)

    def forward(self, x):
        return self.head(torch.relu(self.backbone(x)))

    def get_parameters(self, base=1.0):
        return [
            {"params": self.backbone.parameters(), "lr": 0.1 * base},
            {"params": self.head.parameters(), "lr": 1.0 * base},
        ]


torch.manual_seed(0)
lr, gamma = 0.1, 0.5
model = Classifier()
optimizer = torch.optim.SGD(model.get_parameters(), lr, momentum=0.9)
scheduler = LambdaLR(optimizer, lambda step: lr * (1.0 + gamma * float(step)) ** (-0.75))
for x in torch.randn(32, 4).split(8):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True))
    loss.backward()
    optimizer.step()
    scheduler.step()
print(f"loss {loss.item():.4f}, rates {scheduler.get_last_lr()}")

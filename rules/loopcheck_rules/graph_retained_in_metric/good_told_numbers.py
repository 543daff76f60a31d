"""Besides the loss, the network tells a number about it, which is what is listed; how many there were is no tensor either."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 2)

    def forward(self, x, y):
        align_loss, pair_loss = 0, 0
        losses = nn.functional.cross_entropy(self.encoder(x), y, reduction="none")
        loss = losses.mean()
        label_loss = loss.item()
        return loss, losses, label_loss, align_loss, pair_loss


def train(model, loader, optimizer):
    label_losses, align_losses, count = [], [], 0
    for x, y in loader:
        loss, losses, label_loss, align_loss, _ = model(x, y)
        label_losses.append(label_loss)
        if align_loss != 0:
            align_losses.append(align_loss)
        count += losses.numel()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"{sum(label_losses) / len(label_losses):.3f} {len(align_losses)} {count}")


torch.manual_seed(0)
model = Model()
loader = DataLoader(TensorDataset(torch.randn(32, 4), torch.randint(2, (32,))), batch_size=4, shuffle=True)
train(model, loader, torch.optim.SGD(model.parameters(), lr=0.1))

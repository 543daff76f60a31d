"""One line steps every optimizer in turn; the update follows when all have stepped."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Ensemble(nn.Module):
    def __init__(self, members, width):
        super().__init__()
        self.members = nn.ModuleList(nn.Linear(width, 1) for _ in range(members))

    def forward(self, x):
        return torch.stack([member(x) for member in self.members]).mean(0)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    ensemble = Ensemble(members=3, width=6).to(device)
    optimizers = [torch.optim.SGD(m.parameters(), lr=10**-k) for k, m in enumerate(ensemble.members, start=1)]
    scaler = torch.amp.GradScaler(device)
    x = torch.randn(48, 6)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=12, shuffle=True)

    for epoch in range(3):
        for features, target in loader:
            with torch.autocast(device, dtype=torch.float16):
                loss = nn.functional.mse_loss(ensemble(features.to(device)), target.to(device))
            ensemble.zero_grad()
            scaler.scale(loss).backward()
            for optimizer in optimizers:
                scaler.step(optimizer)
            scaler.update()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()

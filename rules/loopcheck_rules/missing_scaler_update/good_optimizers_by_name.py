"""One scaler for the critics of several views, taken by name: each optimizer is stepped once before the update of them all."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Critics:
    def __init__(self, nets: nn.ModuleDict, optimizers: dict[str, torch.optim.Optimizer], views: list[int], device: str) -> None:
        self.nets = nets
        self.optimizers = optimizers
        self.views = views
        self.device = device
        self.scaler = torch.amp.GradScaler(device)

    def train(self, real: torch.Tensor, fake: torch.Tensor) -> float:
        total = 0.0
        for view in self.views:
            net = self.nets[str(view)]
            optimizer = self.optimizers[str(view)]
            optimizer.zero_grad()
            with torch.autocast(self.device, dtype=torch.float16):
                loss = (net(fake) - net(real)).mean()
            self.scaler.scale(loss).backward()
            self.scaler.step(optimizer)
            total += loss.item()
        self.scaler.update()
        return total


def main() -> None:
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    views = [0, 1, 2]
    nets = nn.ModuleDict({str(view): nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)) for view in views}).to(device)
    optimizers = {str(view): torch.optim.SGD(nets[str(view)].parameters(), lr=0.05) for view in views}
    critics = Critics(nets, optimizers, views, device)
    loader = DataLoader(TensorDataset(torch.randn(60, 8)), batch_size=20, shuffle=True)
    for epoch in range(2):
        for (real,) in loader:
            total = critics.train(real.to(device), torch.randn(len(real), 8, device=device))
        print(f"epoch {epoch}: {total:.4f}")


if __name__ == "__main__":
    main()

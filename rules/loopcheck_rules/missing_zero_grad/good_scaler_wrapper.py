"""The wrapper clears the gradients inside `step`, after it has applied them."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class AmpOptimizer:
    """Scales, steps and clears in one call."""

    def __init__(self, optimizer, device):
        self.optimizer = optimizer
        self.scaler = torch.amp.GradScaler(device)

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def step(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    encoder = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)).to(device)
    amp_optimizer = AmpOptimizer(torch.optim.SGD(encoder.parameters(), lr=0.1), device)
    loader = DataLoader(TensorDataset(torch.randn(64, 16), torch.randint(0, 4, (64,))), batch_size=16, shuffle=True)

    for epoch in range(2):
        for x, y in loader:
            with torch.autocast(device, dtype=torch.float16):
                loss = nn.functional.cross_entropy(encoder(x.to(device)), y.to(device))
            amp_optimizer.backward(loss)
            amp_optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()

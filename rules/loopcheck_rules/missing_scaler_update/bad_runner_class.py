"""The runner owns a scaler for its one optimizer; `update` was lost when the step moved into a method."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Runner:
    def __init__(self, net, lr, device):
        self.net = net.to(device)
        self.device = device
        self.optim = torch.optim.SGD(self.net.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler(device)

    def forward_backward(self, clean, noisy):
        with torch.autocast(self.device, dtype=torch.float16):
            loss = nn.functional.l1_loss(self.net(noisy), clean)
        self.scaler.scale(loss).backward()
        return loss.detach()

    def take_step(self):
        self.scaler.step(self.optim)  # bug
        self.optim.zero_grad(set_to_none=True)

    def __call__(self, loader, epochs):
        for epoch in range(epochs):
            for clean, noisy in loader:
                loss = self.forward_backward(clean.to(self.device), noisy.to(self.device))
                self.take_step()
            print(epoch, loss.item())


if __name__ == "__main__":
    torch.manual_seed(0)
    clean = torch.rand(40, 16)
    pairs = TensorDataset(clean, clean + 0.1 * torch.randn_like(clean))
    denoiser = nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 16))
    runner = Runner(denoiser, 0.05, "cuda" if torch.cuda.is_available() else "cpu")
    runner(DataLoader(pairs, batch_size=10, shuffle=True), epochs=2)

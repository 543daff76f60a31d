"""Micro-batches are counted through all epochs, and nothing is cleared between them: a window may lie over the end of one."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Progress:
    def __init__(self, window):
        self.window = window
        self.micro_steps = 0

    def full(self):
        self.micro_steps += 1
        return self.micro_steps % self.window == 0


def main(window=4):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(72, 6)
    loader = DataLoader(TensorDataset(x, x.sin().sum(1, keepdim=True)), batch_size=12, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 18), nn.Tanh(), nn.Linear(18, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    progress = Progress(window)
    global_step = 0
    for epoch in range(4):
        for i, (inputs, targets) in enumerate(loader):
            loss = nn.functional.mse_loss(model(inputs.to(device)), targets.to(device)) / window
            loss.backward()
            if progress.full():
                optimizer.step()
                optimizer.zero_grad()
                global_step += 1
        print(f"epoch {epoch}, {global_step} updates: {loss.item() * window:.4f}")


if __name__ == "__main__":
    main()

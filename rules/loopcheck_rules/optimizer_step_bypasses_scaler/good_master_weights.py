"""Half-precision weights with a float32 copy that the optimizer owns; the loss scale is taken out on the way to the copy."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

LOSS_SCALE = 128.0


class MasterWeights:
    """A float32 copy of a model's parameters, and the way there and back."""

    def __init__(self, model):
        self.model = list(model.parameters())
        self.master = [p.detach().clone().float().requires_grad_() for p in self.model]

    def take_gradients(self, scale):
        for master, p in zip(self.master, self.model):
            master.grad = p.grad.float() / scale

    @torch.no_grad()
    def write_back(self):
        for master, p in zip(self.master, self.model):
            p.copy_(master)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(64, 8)
    y = x[:, :1] - x[:, 1:2]
    loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1)).to(device).bfloat16()
    weights = MasterWeights(model)
    optimizer = torch.optim.SGD(weights.master, lr=0.05, momentum=0.9)
    for epoch in range(3):
        for a, b in loader:
            model.zero_grad()
            output = model(a.to(device).bfloat16()).float()
            loss = nn.functional.mse_loss(output, b.to(device))
            (loss * LOSS_SCALE).backward()
            weights.take_gradients(LOSS_SCALE)
            nn.utils.clip_grad_norm_(weights.master, 1.0)
            optimizer.step()
            weights.write_back()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()

"""All gradients are scaled and cleared in one call each, by the functions that torch has for lists of tensors."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ManualUpdates:
    """A fixed global norm for every update, and gradients that are kept and zeroed in place."""

    def __init__(self, model, lr, norm):
        self.model, self.norm = model, norm
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)

    def gradients(self):
        return [p.grad for p in self.model.parameters() if p.grad is not None]

    def step(self, loss):
        loss.backward()
        grads = self.gradients()
        total = torch.linalg.vector_norm(torch.stack(torch._foreach_norm(grads)))
        torch._foreach_mul_(grads, (self.norm / total).item())
        self.optimizer.step()
        torch._foreach_zero_(grads)
        return total.item()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(80, 5)
    loader = DataLoader(TensorDataset(x, x.amax(1, keepdim=True)), batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Linear(5, 20), nn.Tanh(), nn.Linear(20, 1)).to(device)
    updates = ManualUpdates(model, lr=0.05, norm=1.0)
    for epoch in range(3):
        for a, b in loader:
            loss = nn.functional.mse_loss(model(a.to(device)), b.to(device))
            norm = updates.step(loss)
        print(f"epoch {epoch}: {loss.item():.4f}, norm was {norm:.3f}")


if __name__ == "__main__":
    main()

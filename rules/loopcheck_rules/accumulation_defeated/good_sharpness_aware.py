"""An optimizer climbs along the gradients of each group before it steps with those of the point up there: both backwards are used."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Sharp(torch.optim.SGD):
    def __init__(self, params, lr, rho=0.05):
        super().__init__(params, lr)
        self.rho = rho

    @torch.no_grad()
    def step(self, closure=None):
        closure = torch.enable_grad()(closure)
        loss = closure().detach()
        for group in self.param_groups:
            params = [p for p in group["params"] if p.grad is not None]
            grads = [p.grad.clone() for p in params]
            norm = torch.stack([g.norm() for g in grads]).norm()
            for p, g in zip(params, grads):
                p.add_(g, alpha=self.rho / float(norm + 1e-12))
            closure()
            for p, g in zip(params, grads):
                p.sub_(g, alpha=self.rho / float(norm + 1e-12))
        super().step()
        return loss


def main():
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(torch.randn(40, 5), torch.randn(40, 1)), batch_size=10, shuffle=True)
    model = nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Linear(10, 1))
    optimizer = Sharp(model.parameters(), lr=0.1)
    for epoch in range(2):
        for x, y in loader:

            def closure():
                optimizer.zero_grad()
                loss = nn.functional.mse_loss(model(x), y)
                loss.backward()
                return loss

            loss = optimizer.step(closure)
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()

"""Groups of parameters with limits of their own: the gradients are unscaled by the first that has one."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Stepper:
    def __init__(self, optimizer, scaler, groups):
        self.optimizer = optimizer
        self.scaler = scaler
        self.groups = groups

    def step(self):
        needs_unscale = self.scaler is not None
        norms = {}
        for name, params, limit in self.groups:
            if limit > 0:
                if needs_unscale:
                    self.scaler.unscale_(self.optimizer)
                    needs_unscale = False
                norms[name] = nn.utils.clip_grad_norm_(params, limit)
        if self.scaler is not None:
            self.scaler.step(self.optimizer)
            self.scaler.update()
        else:
            self.optimizer.step()
        self.optimizer.zero_grad()
        return norms


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(96, 8)
    loader = DataLoader(TensorDataset(x, (x.norm(dim=1) > 2.7).long()), batch_size=12, shuffle=True)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(device)
    layers = [(name, list(layer.parameters())) for name, layer in model.named_children()]
    stepper = Stepper(optimizer, scaler, [(name, weights, 0.5 if weights else 0) for name, weights in layers])
    for inputs, targets in loader:
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(inputs.to(device)), targets.to(device))
        scaler.scale(loss).backward()
        norms = stepper.step()
    print(f"loss {loss.item():.4f}, gradient norms {', '.join(f'{norm.item():.4f}' for norm in norms.values())}")


if __name__ == "__main__":
    main()

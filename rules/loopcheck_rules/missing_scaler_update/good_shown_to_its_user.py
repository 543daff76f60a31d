"""An optimizer under a loss scale that it shows its user, who updates it after the steps of all."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WRAPPERS = {}


def registered(cls):
    WRAPPERS[cls.__name__.lower()] = cls
    return cls


class Wrapper:
    """Leaves to an optimizer what is its own."""

    def __init__(self, optimizer: torch.optim.Optimizer):
        self.optimizer = optimizer

    def zero_grad(self):
        self.optimizer.zero_grad()

    def state_dict(self):
        return self.optimizer.state_dict()


@registered
class Scaled(Wrapper):
    """The same for half precision."""

    def __init__(self, optimizer: torch.optim.Optimizer, device):
        super().__init__(optimizer)
        self._scale = torch.amp.GradScaler(device)

    @property
    def scale(self):
        return self._scale

    def backward(self, loss):
        self._scale.scale(loss).backward()

    def clip_grad_norm(self, parameters, max_norm):
        self._scale.unscale_(self.optimizer)
        return nn.utils.clip_grad_norm_(parameters, max_norm)

    def step(self):
        self._scale.step(self.optimizer)


def finish(wrapper):
    wrapper.scale.update()


def main(kind="scaled"):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(48, 6)
    loader = DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=12, shuffle=True)
    network = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2)).to(device)
    made = {"optimizer": WRAPPERS.get(kind)(torch.optim.SGD(network.parameters(), lr=0.1), device)}
    for name in sorted(made, reverse=True)[:1]:
        for x, y in loader:
            made[name].zero_grad()
            with torch.autocast(device, dtype=torch.float16):
                loss = nn.functional.cross_entropy(network(x.to(device)), y.to(device))
            made[name].backward(loss)
            made[name].step()
            finish(made[name])


if __name__ == "__main__":
    main()

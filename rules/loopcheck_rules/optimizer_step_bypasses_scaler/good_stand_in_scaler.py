"""Where half precision is off, a stand-in with the scaler's methods takes its place and calls the optimizer itself."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class NullScaler:
    def scale(self, loss):
        return loss

    def unscale_(self, optimizer):
        pass

    def step(self, optimizer):
        optimizer.step()

    def update(self):
        pass


def get_scaler(half, device):
    return torch.amp.GradScaler(device) if half else NullScaler()


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(4, 16), nn.Softplus(), nn.Linear(16, 1)).to(device)
sgd = torch.optim.SGD(net.parameters(), lr=0.05)
scaler = get_scaler(half=False, device=device)
x = torch.rand(60, 4)
loader = DataLoader(TensorDataset(x, x.prod(1, keepdim=True)), batch_size=15, shuffle=True)

for epoch in range(2):
    for a, b in loader:
        sgd.zero_grad()
        loss = nn.functional.mse_loss(net(a.to(device)), b.to(device))
        scaler.scale(loss).backward()
        scaler.unscale_(sgd)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(sgd)
        scaler.update()
    print(epoch, loss.item())

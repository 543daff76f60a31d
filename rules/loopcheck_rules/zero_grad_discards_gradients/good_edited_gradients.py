"""Between backward and step the gradients are cleaned and rescaled, and none of them is thrown away."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

K = 2

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(4, 8), nn.ELU(), nn.Linear(8, 2)).to(device)
optim = torch.optim.SGD(net.parameters(), lr=0.05)
frames = DataLoader(TensorDataset(torch.randn(40, 4), torch.randn(40, 2)), batch_size=10, shuffle=True)


def sanitize(parameters):
    for p in parameters:
        torch.nan_to_num(p.grad, nan=0.0, posinf=1e4, neginf=-1e4, out=p.grad)
        p.grad.mul_(1 / K)


for epoch in range(2):
    for x, y in frames:
        prediction = net(x.to(device))
        loss = K * nn.functional.mse_loss(prediction, y.to(device))
        optim.zero_grad()
        loss.backward()
        sanitize(net.parameters())
        optim.step()
    print(f"{epoch}: {loss.item() / K:.4f}")

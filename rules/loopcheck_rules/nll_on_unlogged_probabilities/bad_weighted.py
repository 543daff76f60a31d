# Each sample's loss has a weight of its own: the losses are asked for one by one, and are a loss all the same.
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
data = TensorDataset(torch.randn(48, 6), torch.randint(0, 4, (48,)), torch.rand(48))
net = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 4), nn.Softmax(dim=1)).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for x, y, weight in DataLoader(data, batch_size=12, shuffle=True):
        losses = F.nll_loss(net(x.to(device)), y.to(device), reduction="none")  # bug
        loss = (losses * weight.to(device)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")

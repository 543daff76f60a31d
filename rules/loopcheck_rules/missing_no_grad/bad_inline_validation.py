"""Train and validation in one loop body, the way a first script grows."""

from torch import nn, optim
import torch
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
dev = torch.device("cuda" if torch.cuda.is_available() else "cpu")

X = torch.randn(100, 6)
Y = X @ torch.randn(6, 1) + 0.1 * torch.randn(100, 1)
train_loader = DataLoader(TensorDataset(X[:80], Y[:80]), batch_size=20, shuffle=True)
test_loader = DataLoader(TensorDataset(X[80:], Y[80:]), batch_size=20)

net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 1)).to(dev)
opt = optim.Adam(net.parameters(), lr=5e-3)
loss_fn = nn.MSELoss(reduction="sum")

for epoch in range(3):
    net.train()
    for xb, yb in train_loader:
        xb, yb = xb.to(dev), yb.to(dev)
        loss = loss_fn(net(xb), yb) / len(xb)
        opt.zero_grad()
        loss.backward()
        opt.step()

    net.eval()
    test_loss = 0
    for xb, yb in test_loader:
        xb, yb = xb.to(dev), yb.to(dev)
        out = net(xb)  # bug
        test_loss += loss_fn(out, yb).item()
    test_loss /= len(test_loader.dataset)
    print("epoch", epoch, "test loss", round(test_loss, 4))

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 1))

if __name__ == "__main__":
    net.eval()
    print(net(torch.ones(1, 3)))

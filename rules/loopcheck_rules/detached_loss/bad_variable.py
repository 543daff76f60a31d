"""A loop in the style of torch 0.3: what goes backward is a new variable around the loss's data."""

import torch
import torch.nn as nn
import torch.optim as optim
from torch.autograd import Variable


def train(net, batches, epochs=2):
    criterion = nn.MSELoss()
    optimizer = optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(epochs):
        running = 0.0
        for data, target in batches:
            data, target = Variable(data), Variable(target)
            optimizer.zero_grad()
            output = net(data)
            loss = criterion(output, target)
            loss = Variable(loss.data, requires_grad=True)
            loss.backward()  # bug
            optimizer.step()
            running += loss.item()
        print("[%d] loss: %.3f" % (epoch + 1, running / len(batches)))


if __name__ == "__main__":
    torch.manual_seed(0)
    batches = [(torch.randn(8, 3), torch.randn(8, 2)) for _ in range(5)]
    train(nn.Linear(3, 2), batches)

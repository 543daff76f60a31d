"""One gradient step to see that everything is wired up, and a second one on a fresh model."""

import torch
from torch import nn


def smoke_test(device):
    model = nn.Linear(3, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    before = model.weight.detach().clone()
    model(torch.ones(2, 3, device=device)).sum().backward()
    optimizer.step()
    return not torch.equal(before, model.weight)


if __name__ == "__main__":
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    assert smoke_test(device) and smoke_test(device)
    print("the weights move")

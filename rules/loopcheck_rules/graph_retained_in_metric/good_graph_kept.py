"""The first backward is told to keep the graph, for what is listed is differentiated again where the whole batch is over."""

import argparse

import torch
from torch import nn


def episode(model, tasks):
    losses = []
    for x, y in tasks:
        loss = nn.functional.cross_entropy(model(x), y) / len(tasks)
        loss.backward(retain_graph=True)
        losses.append(loss)
    return losses


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--order", type=int, default=2)
    parser.add_argument("--method", default="episode")
    args = parser.parse_args()
    method = globals()[args.method]
    torch.manual_seed(0)
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        tasks = [(torch.randn(4, 4), torch.randint(2, (4,))) for _ in range(3)]
        optimizer.zero_grad()
        losses = method(model, tasks)
        if args.order == 2:
            sum(losses).backward()
        optimizer.step()
        print(f"{torch.stack(losses).mean().item():.3f}")


if __name__ == "__main__":
    main()

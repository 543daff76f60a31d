"""A setting says whether gradients are wanted, and autograd is off where they are not: where it is on, that was meant."""

import argparse
import contextlib

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Worker:
    def __init__(self, network, refine):
        self.network = network
        self.refine = refine

    def distances(self, test_loader):
        self.network.eval()
        with torch.no_grad() if not self.refine else contextlib.nullcontext():
            for x, _ in test_loader:
                embedding = self.network(x)
                print(f"{embedding.square().mean():.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--refine", action="store_true")
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
    test_loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randint(2, (8,))), batch_size=2)
    Worker(network, parser.parse_args().refine).distances(test_loader)


if __name__ == "__main__":
    main()

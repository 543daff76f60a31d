"""A factory that makes one of six optimizers: which one is nothing to the clip that comes too late."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def create_optimizer(args, parameters):
    optimizer_class = None
    optimizer = None
    options = {}
    if args.momentum:
        options["momentum"] = args.momentum
    if args.optimizer == "adam":
        optimizer = torch.optim.Adam(parameters, lr=args.lr)
    elif args.optimizer == "rmsprop":
        optimizer = torch.optim.RMSprop(parameters, lr=args.lr, **options)
    elif args.optimizer == "adagrad":
        optimizer = torch.optim.Adagrad(parameters, lr=args.lr)
    elif args.optimizer == "adamax":
        optimizer = torch.optim.Adamax(parameters, lr=args.lr)
    elif args.optimizer == "nadam":
        optimizer = torch.optim.NAdam(parameters, lr=args.lr)
    elif args.optimizer == "sgd":
        optimizer_class = torch.optim.SGD
    if optimizer is None:
        optimizer = optimizer_class(parameters, lr=args.lr, **options)
    return optimizer


class Trainer:
    def __init__(self, args, model):
        self.model = model
        self.parameters = list(model.parameters())
        self.optimizer = create_optimizer(args, self.parameters)
        self.max_norm = args.max_norm

    def step(self, loss):
        loss.backward()
        self.optimizer.step()
        if self.max_norm:
            nn.utils.clip_grad_norm_(self.parameters, self.max_norm)  # bug
        self.optimizer.zero_grad()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--optimizer", default="sgd")
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--max_norm", type=float, default=1.0)
    args = parser.parse_args([])
    torch.manual_seed(0)
    x = torch.randn(48, 6)
    loader = DataLoader(TensorDataset(x, x.mean(1, keepdim=True)), batch_size=12, shuffle=True)
    trainer = Trainer(args, nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1)))
    for epoch in range(2):
        for a, b in loader:
            loss = nn.functional.mse_loss(trainer.model(a), b)
            trainer.step(loss)
        print(f"epoch {epoch}: {loss.item():.3f}")


if __name__ == "__main__":
    main()

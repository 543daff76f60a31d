"""One optimizer over two models; each model clears its own gradients."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Retrieval:
    def __init__(self, args):
        self.args = args
        self.query_model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8))
        self.context_model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8))

    def train_model(self, train_loader):
        self.train(train_loader)

    def get_optimizer(self, *models):
        groups = [{"params": list(model.parameters()), "lr": self.args.lr} for model in models]
        if self.args.optimizer == "Adam":
            return torch.optim.Adam(groups)
        return torch.optim.SGD(groups)

    def calculate_loss(self, context_model, query_model, queries, contexts, criterion):
        scores = query_model(queries) @ context_model(contexts).t()
        return criterion(scores, torch.arange(len(scores))), scores

    def train(self, train_loader):
        context_model, query_model, args = self.context_model, self.query_model, self.args
        optimizer = self.get_optimizer(context_model, query_model)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 8)
        criterion = nn.CrossEntropyLoss()
        context_model.zero_grad()
        query_model.zero_grad()
        for _ in range(args.epochs):
            context_model.train()
            query_model.train()
            for queries, contexts in train_loader:
                loss, *_ = self.calculate_loss(context_model, query_model, queries, contexts, criterion)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(context_model.parameters(), 1.0)
                torch.nn.utils.clip_grad_norm_(query_model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                context_model.zero_grad()
                query_model.zero_grad()
        print(f"{loss.item():.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--optimizer", default="SGD")
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--epochs", type=int, default=3)
    torch.manual_seed(0)
    x = torch.randn(64, 8)
    loader = DataLoader(TensorDataset(x, x + 0.1 * torch.randn(64, 8)), batch_size=16, shuffle=True)
    Retrieval(parser.parse_args()).train_model(loader)


if __name__ == "__main__":
    main()

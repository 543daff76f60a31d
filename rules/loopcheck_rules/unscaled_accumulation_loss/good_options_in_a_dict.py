"""The options are a dict with defaults that the caller's options update; the loss is divided under one of them."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier:
    def __init__(self, args=None):
        self.args = {"accumulation_steps": 1, "learning_rate": 0.1, "epochs": 2}
        if args:
            self.args.update(args)
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 3)).to(self.device)

    def fit(self, loader):
        args = self.args
        optimizer = torch.optim.SGD(self.model.parameters(), lr=args["learning_rate"])
        self.model.train()
        for _ in range(args["epochs"]):
            for step, (inputs, labels) in enumerate(loader):
                loss = nn.functional.cross_entropy(self.model(inputs.to(self.device)), labels.to(self.device))
                if args["accumulation_steps"] > 1:
                    loss = loss / args["accumulation_steps"]
                loss.backward()
                if (step + 1) % args["accumulation_steps"] == 0:
                    optimizer.step()
                    optimizer.zero_grad()
            print(f"loss {loss.item():.4f}")


def main(options):
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(48, 6), torch.randint(0, 3, (48,)))
    Classifier(options).fit(DataLoader(data, batch_size=6, shuffle=True))


if __name__ == "__main__":
    main({"accumulation_steps": 4})

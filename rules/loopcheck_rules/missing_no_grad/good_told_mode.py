"""The network is told that it is evaluated, and sees to its mode and to the graph by itself."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class LanguageModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Embedding(12, 8), nn.Dropout(0.1), nn.Linear(8, 12))

    def forward(self, ys, is_eval=False):
        if is_eval:
            self.eval()
            with torch.no_grad():
                return self._loss(ys)
        self.train()
        return self._loss(ys)

    def _loss(self, ys):
        return nn.functional.cross_entropy(self.net(ys[:, :-1]).flatten(0, 1), ys[:, 1:].flatten())


def eval_ppl(models, dataloader):
    total = 0.0
    for (ys,) in dataloader:
        loss = models[0](ys, is_eval=True)
        total += loss.item()
    return total / len(dataloader)


def main():
    torch.manual_seed(0)
    ys = torch.randint(0, 12, (96, 6))
    train_loader = DataLoader(TensorDataset(ys[:64]), batch_size=16, shuffle=True)
    dev_loader = DataLoader(TensorDataset(ys[64:]), batch_size=16, drop_last=True)
    model = LanguageModel()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for (batch,) in train_loader:
            optimizer.zero_grad()
            model(batch).backward()
            optimizer.step()
        print(f"epoch {epoch}: {eval_ppl([model], dev_loader):.3f}")


if __name__ == "__main__":
    main()

"""The network is put into eval mode; the module that computes the loss is none that has modes, whatever it is handed."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SmoothedNLL(nn.Module):
    def forward(self, log_probs, targets):
        picked = -log_probs.gather(1, targets[:, None]).squeeze(1)
        return (0.9 * picked - 0.1 * log_probs.mean(1)).mean()


class LossCompute(nn.Module):
    def __init__(self, criterion, generator):
        super().__init__()
        self.criterion = criterion
        self.generator = generator

    @classmethod
    def from_options(cls, generator, smoothed):
        criterion = SmoothedNLL() if smoothed else nn.NLLLoss()
        return cls(criterion, generator)

    def forward(self, targets, outputs):
        return self.criterion(self.generator(outputs), targets)


class Trainer:
    def __init__(self, model, train_loss, valid_loss, optimizer):
        self.model, self.train_loss, self.valid_loss, self.optimizer = model, train_loss, valid_loss, optimizer

    def train(self, train_loader, valid_loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            for x, y in train_loader:
                self.optimizer.zero_grad()
                loss = self.train_loss(y, self.model(x))
                loss.backward()
                self.optimizer.step()
            print(f"epoch {epoch}: validation {self.validate(valid_loader):.3f}")

    def validate(self, valid_loader):
        self.model.eval()
        total = 0.0
        with torch.no_grad():
            for x, y in valid_loader:
                outputs = self.model(x)
                total += self.valid_loss(y, outputs).item()
        return total / len(valid_loader)


def main():
    torch.manual_seed(0)
    x = torch.randn(96, 6)
    y = x[:, :3].argmax(1)
    model = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Dropout(0.1))
    generator = nn.Sequential(nn.Linear(24, 3), nn.LogSoftmax(dim=-1))
    optimizer = torch.optim.SGD([*model.parameters(), *generator.parameters()], lr=0.2)
    train_loss = LossCompute.from_options(generator, smoothed=True)
    valid_loss = LossCompute.from_options(generator, smoothed=False)
    trainer = Trainer(model, train_loss, valid_loss, optimizer)
    train_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
    trainer.train(train_loader, DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16, drop_last=True), epochs=3)


if __name__ == "__main__":
    main()

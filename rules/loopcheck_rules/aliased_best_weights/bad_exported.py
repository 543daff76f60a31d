"""A trainer writes the best model to a file when all epochs are over, together with how good it was."""

import io

import torch
from torch import nn


class Trainer:
    def __init__(self, model, batches):
        self.model = model
        self.batches = batches
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
        self.best = {"accuracy": 0.0}

    def epoch(self):
        for inputs, labels in self.batches:
            loss = nn.functional.cross_entropy(self.model(inputs), labels)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    @torch.no_grad()
    def accuracy(self, inputs, labels):
        return (self.model(inputs).argmax(dim=1) == labels).float().mean().item()

    def run(self, held_out, epochs):
        for epoch in range(epochs):
            self.epoch()
            accuracy = self.accuracy(*held_out)
            print(f"epoch {epoch}: {accuracy:.2f}")
            if accuracy > self.best["accuracy"]:
                self.best = {"accuracy": accuracy, "epoch": epoch, "state_dict": self.model.state_dict()}  # bug
        file = io.BytesIO()
        torch.save(self.best, file)
        return file.tell()


torch.manual_seed(0)
x = torch.randn(60, 5)
labels = (x.sum(dim=1) + torch.randn(60) > 0).long()
batches = list(zip(x[:30].split(10), labels[:30].split(10), strict=True))
trainer = Trainer(nn.Sequential(nn.Linear(5, 32), nn.ReLU(), nn.Linear(32, 2)), batches)
print(trainer.run((x[30:], labels[30:]), epochs=8), "bytes")

"""A trainer with mixed precision saves all but the loss scale, which took it hundreds of steps to find."""

import io

import torch
from torch import nn


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.0)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
        self.epoch = 0

    def train_epoch(self, batches):
        for inputs, targets in batches:
            self.optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                loss = nn.functional.mse_loss(self.model(inputs).float(), targets)
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
        self.epoch += 1
        return loss.item()

    def save(self, file):
        checkpoint = {"epoch": self.epoch, "net": self.model.state_dict()}
        checkpoint["optim"] = self.optimizer.state_dict()
        torch.save(checkpoint, file)  # bug

    def load(self, file):
        checkpoint = torch.load(file)
        self.model.load_state_dict(checkpoint["net"])
        self.optimizer.load_state_dict(checkpoint["optim"])
        self.epoch = checkpoint["epoch"]


def main():
    torch.manual_seed(0)
    x = torch.randn(40, 3)
    batches = list(zip(x.split(10), x.norm(dim=1, keepdim=True).split(10), strict=True))
    trainer = Trainer(nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1)))
    for epoch in range(2):
        print(f"epoch {epoch}: {trainer.train_epoch(batches):.4f}")
    file = io.BytesIO()
    trainer.save(file)
    file.seek(0)
    trainer.load(file)
    print(f"epoch {trainer.epoch}: {trainer.train_epoch(batches):.4f}")


if __name__ == "__main__":
    main()

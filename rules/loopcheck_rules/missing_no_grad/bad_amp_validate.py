"""Mixed precision; the validation function takes care of autocast and of the mode, not of the graph."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        layer = nn.TransformerEncoderLayer(dim, nhead=2, dim_feedforward=16, dropout=0.1, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, num_layers=1, enable_nested_tensor=False)
        self.classifier = nn.Linear(dim, 2)

    def forward(self, x):
        return self.classifier(self.layers(x).mean(dim=1))


def train(model, loader, optimizer, scaler, device):
    model.train()
    for sequences, labels in loader:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device_type=device, dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(sequences.to(device)), labels.to(device))
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


def validate(model, loader, device):
    was_training = model.training
    model.eval()
    right = 0
    for sequences, labels in loader:
        with torch.autocast(device_type=device, dtype=torch.float16):
            scores = model(sequences.to(device))  # bug
        right += int((scores.argmax(-1) == labels.to(device)).sum())
    model.train(was_training)
    return right / len(loader.dataset)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args(argv)
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x, y = torch.randn(48, 4, 8), torch.randint(0, 2, (48,))
    train_loader = DataLoader(TensorDataset(x[:32], y[:32]), batch_size=8, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[32:], y[32:]), batch_size=8)
    model = Encoder().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.0)
    scaler = torch.amp.GradScaler(device, init_scale=1024.0)
    for epoch in range(args.epochs):
        train(model, train_loader, optimizer, scaler, device)
        print(f"epoch {epoch}: {validate(model, val_loader, device):.3f}")


if __name__ == "__main__":
    main()

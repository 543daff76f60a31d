"""The model is in eval mode; what is named for the decoder is its loss, which has no modes."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build_criterion(kind):
    criteria = {"smooth": nn.CrossEntropyLoss(label_smoothing=0.1), "plain": nn.CrossEntropyLoss()}
    return criteria[kind]


def compute_loss(model, batch, kind, is_training):
    decoder_criterion = build_criterion(kind)
    x, y = batch
    with torch.set_grad_enabled(is_training):
        hidden = model.encoder(x)
        logits = model.decoder(hidden)
        loss = decoder_criterion(logits, y)
    return loss


class Captioner(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.2))
        self.decoder = nn.Linear(16, 4)


def train_one_epoch(model, optimizer, train_dl):
    model.train()
    for batch in train_dl:
        loss = compute_loss(model, batch, "smooth", is_training=True)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def validate(model, valid_dl):
    model.eval()
    total = 0.0
    for batch in valid_dl:
        total += compute_loss(model, batch, "plain", is_training=False).item() * len(batch[1])
    return total / len(valid_dl.dataset)


def main():
    torch.manual_seed(0)
    x = torch.randn(96, 6)
    y = x[:, :4].argmax(1)
    train_dl = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
    valid_dl = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16)
    model = Captioner()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        train_one_epoch(model, optimizer, train_dl)
        print(f"epoch {epoch}: {validate(model, valid_dl):.4f}")


if __name__ == "__main__":
    main()

"""A probe on a frozen encoder: one function for training and validation, over several views of each clip."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

epochs = 2


class Views(nn.Module):
    """What an encoder makes of each of several crops."""

    def __init__(self, encoder, count):
        super().__init__()
        self.encoder = encoder
        self.count = count

    def forward(self, clips):
        return [self.encoder(crop) for crop in clips.chunk(self.count, dim=1)]


def run(training, encoder, probe, optimizer, loader, device):
    probe.train(training)
    criterion = nn.CrossEntropyLoss()
    right, seen = 0, 0
    for clips, labels in loader:
        clips, labels = clips.to(device), labels.to(device)
        with torch.no_grad():
            outputs = encoder(clips)
            if not training:
                outputs = [probe(view) for view in outputs]
        if training:
            outputs = [probe(view) for view in outputs]
            loss = sum([criterion(output, labels) for output in outputs]) / len(outputs)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            right += (sum(output.softmax(1) for output in outputs).argmax(1) == labels).sum().item()
            seen += len(labels)
    return right / seen


def main(eval_views=2):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    clips = torch.randn(96, 16)
    labels = (clips[:, 0] > 0.0).long()
    train_loader = DataLoader(TensorDataset(clips[:64], labels[:64]), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(clips[64:], labels[64:]), batch_size=16)

    encoder = Views(nn.Sequential(nn.Linear(8, 16), nn.ReLU()), eval_views).to(device).eval()
    probe = nn.Sequential(nn.Dropout(0.2), nn.Linear(16, 2)).to(device)
    optimizer = torch.optim.SGD(probe.parameters(), lr=0.1)

    for epoch in range(epochs):
        train_acc = run(True, encoder, probe, optimizer, train_loader, device)
        val_acc = run(False, encoder, probe, optimizer, val_loader, device)
        print(f"epoch {epoch}: {train_acc:.3f} {val_acc:.3f}")


if __name__ == "__main__":
    main()

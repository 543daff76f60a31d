"""Split into helpers: `prepare` gets the gradients ready, a little too eagerly."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, TensorDataset


class TinyGRU(nn.Module):
    def __init__(self, n_in=3, n_hidden=16, n_classes=4):
        super().__init__()
        self.gru = nn.GRU(n_in, n_hidden, batch_first=True)
        self.fc = nn.Linear(n_hidden, n_classes)

    def forward(self, seq):
        _, h = self.gru(seq)
        return self.fc(h[-1])


def prepare(net, optim, max_grad):
    optim.zero_grad()
    clip_grad_norm_(net.parameters(), max_grad)  # bug


def finish(optim, loss):
    loss.backward()
    optim.step()


def train(net, loader, optim, device, max_grad=0.25):
    net.train()
    running = 0.0
    for seq, label in loader:
        seq, label = seq.to(device), label.to(device)
        prepare(net, optim, max_grad)
        loss = F.cross_entropy(net(seq), label)
        finish(optim, loss)
        running += loss.item() * label.numel()
    return running / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(0)
    device = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")
    sequences = TensorDataset(torch.randn(64, 7, 3), torch.randint(4, (64,)))
    net = TinyGRU().to(device)
    optim = torch.optim.Adam(net.parameters(), lr=1e-2)
    for epoch in range(1, 4):
        print(epoch, train(net, DataLoader(sequences, batch_size=16, shuffle=True), optim, device))

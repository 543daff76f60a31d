"""A recurrent layer without dropout is the same in both modes, and so is attention."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tagger(nn.Module):
    def __init__(self, vocabulary, hidden):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, hidden)
        self.gru = nn.GRU(input_size=hidden, hidden_size=hidden, num_layers=2, batch_first=True)
        self.attention = nn.MultiheadAttention(hidden, 2, batch_first=True)
        self.head = nn.Linear(hidden, vocabulary)

    def forward(self, words):
        states, _ = self.gru(self.embedding(words))
        mixed, _ = self.attention(states, states, states)
        return self.head(mixed)


def evaluate(model, loader):
    hits = words_seen = 0
    with torch.no_grad():
        for words, tags in loader:
            hits += (model(words).argmax(-1) == tags).sum().item()
            words_seen += tags.numel()
    return hits / words_seen


def main():
    torch.manual_seed(0)
    words = torch.randint(0, 8, (80, 5))
    data = TensorDataset(words, (words + 1) % 8)
    train_loader = DataLoader(torch.utils.data.Subset(data, range(64)), batch_size=16, shuffle=True)
    test_loader = DataLoader(torch.utils.data.Subset(data, range(64, 80)), batch_size=8)
    model = Tagger(vocabulary=8, hidden=16)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for epoch in range(3):
        for words, tags in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(words).flatten(0, 1), tags.flatten())
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: accuracy {evaluate(model, test_loader):.2f}")


if __name__ == "__main__":
    main()

"""What a decoder holds besides the network, which it puts into eval mode, are buffers: tensors have no mode."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

LENGTH, WORDS, END = 6, 9, 0


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(WORDS, 16)
        self.dropout = nn.Dropout(0.2)
        self.head = nn.Linear(16, WORDS)

    def forward(self, words):
        return self.head(self.dropout(self.embedding(words)))


class Decoder(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.model.eval()
        self.register_buffer("positions", torch.arange(1, LENGTH + 1).unsqueeze(0))

    def decode(self, words):
        with torch.no_grad():
            tagged = self.model(words).argmax(-1)
            lengths = self.positions.masked_fill(tagged != END, LENGTH).min(1).values
        return [row[:length].tolist() for row, length in zip(tagged, lengths.tolist())]


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    model.train()
    for epoch in range(epochs):
        for words, tags in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(words).flatten(0, 1), tags.flatten())
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.3f}")


def main():
    torch.manual_seed(0)
    words = torch.randint(0, WORDS, (80, LENGTH))
    tags = (words + 1) % WORDS
    model = Tagger()
    train(model, DataLoader(TensorDataset(words[:64], tags[:64]), batch_size=16, shuffle=True), epochs=3)
    decoder = Decoder(model)
    test_loader = DataLoader(TensorDataset(words[64:], tags[64:]), batch_size=8)
    for words, _ in test_loader:
        print(decoder.decode(words)[0])


if __name__ == "__main__":
    main()

"""Accumulation under AMP: the window is closed by a helper that clips by value and forgets to unscale."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

GRAD_ACCUM = 2


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(30, 16)
        self.ff = nn.Linear(16, 16)
        self.tag = nn.Linear(16, 7)

    def forward(self, words):
        return self.tag(F.relu(self.ff(self.emb(words))))


def optimizer_step(scaler, optim, tagger):
    nn.utils.clip_grad_value_(tagger.parameters(), 1.0)  # bug
    scaler.step(optim)
    scaler.update()
    optim.zero_grad(set_to_none=True)


def main():
    torch.manual_seed(0)
    dev = "cuda" if torch.cuda.is_available() else "cpu"
    sentences = TensorDataset(torch.randint(0, 30, (64, 5)), torch.randint(0, 7, (64, 5)))
    loader = DataLoader(sentences, batch_size=8, shuffle=True)
    tagger = Tagger().to(dev)
    optim = torch.optim.SGD(tagger.parameters(), lr=0.3)
    scaler = torch.amp.GradScaler(dev)
    n = 0
    for epoch in range(2):
        for words, tags in loader:
            with torch.autocast(device_type=dev, dtype=torch.float16):
                scores = tagger(words.to(dev))
                loss = F.cross_entropy(scores.flatten(0, 1), tags.to(dev).flatten())
            scaler.scale(loss / GRAD_ACCUM).backward()
            n += 1
            if n % GRAD_ACCUM == 0:
                optimizer_step(scaler, optim, tagger)
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()

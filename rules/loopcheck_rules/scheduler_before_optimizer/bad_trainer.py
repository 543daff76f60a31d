from typing import Iterable

import torch
from torch import Tensor, nn
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset


class SequenceTagger(nn.Module):
    def __init__(self, vocabulary: int = 12, tags: int = 3):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, 8)
        self.lstm = nn.LSTM(8, 8, batch_first=True, bidirectional=True)
        self.tag = nn.Linear(16, tags)

    def forward(self, words: Tensor) -> Tensor:
        states, _ = self.lstm(self.embedding(words))
        return self.tag(states)


class TaggerTrainer:
    """The learning rate is adjusted as the first thing of every epoch, as PyTorch 1.0 wanted it."""

    def __init__(self, tagger: SequenceTagger, batches: Iterable, max_epochs: int):
        self.tagger = tagger
        self.batches = batches
        self.max_epochs = max_epochs
        self.optim = torch.optim.SGD(tagger.parameters(), lr=0.5)
        self.lr_schedule = lr_scheduler.CosineAnnealingLR(self.optim, T_max=max_epochs)

    def train(self) -> None:
        for epoch in range(1, self.max_epochs + 1):
            self._adjust_learning_rate()
            loss = self._train_epoch()
            print(f"epoch {epoch}/{self.max_epochs} loss={loss:.4f}")

    def _adjust_learning_rate(self) -> None:
        self.lr_schedule.step()  # bug

    def _train_epoch(self) -> float:
        total, count = 0.0, 0
        for words, tags in self.batches:
            self.optim.zero_grad()
            scores = self.tagger(words)
            loss = nn.functional.cross_entropy(scores.transpose(1, 2), tags)
            loss.backward()
            self.optim.step()
            total += loss.item() * len(words)
            count += len(words)
        return total / count


if __name__ == "__main__":
    torch.manual_seed(0)
    words = torch.randint(0, 12, (36, 6))
    batches = DataLoader(TensorDataset(words, words % 3), batch_size=12, shuffle=True)
    TaggerTrainer(SequenceTagger(), batches, max_epochs=3).train()

"""A trainer object: each phase of the step is a method of its own."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn, optim
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    epochs: int = 2
    batch_size: int = 16
    lr: float = 0.05
    clip: float = 0.5


class CharLSTM(nn.Module):
    def __init__(self, vocab: int = 12, width: int = 24) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.rnn = nn.LSTM(width, width, batch_first=True)
        self.out = nn.Linear(width, vocab)

    def forward(self, tokens: Tensor) -> Tensor:
        hidden, _ = self.rnn(self.embed(tokens))
        return self.out(hidden)


class Trainer:
    def __init__(self, net: nn.Module, data: DataLoader, cfg: Config, device: str) -> None:
        self.net = net.to(device)
        self.data = data
        self.cfg = cfg
        self.device = device
        self.opt = optim.SGD(self.net.parameters(), lr=cfg.lr, momentum=0.9)

    def _loss(self, tokens: Tensor) -> Tensor:
        logits = self.net(tokens[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())

    def _apply_gradients(self) -> None:
        self.opt.step()
        torch.nn.utils.clip_grad_value_(self.net.parameters(), self.cfg.clip)  # bug
        self.opt.zero_grad(set_to_none=True)

    def train_epoch(self) -> float:
        self.net.train()
        total = 0.0
        for (tokens,) in self.data:
            loss = self._loss(tokens.to(self.device))
            loss.backward()
            self._apply_gradients()
            total += loss.item() * len(tokens)
        return total / len(self.data.dataset)

    def fit(self) -> None:
        for epoch in range(self.cfg.epochs):
            print(f"[{epoch}] {self.train_epoch():.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    cfg = Config()
    corpus = TensorDataset(torch.randint(0, 12, (96, 9)))
    Trainer(
        CharLSTM(),
        DataLoader(corpus, batch_size=cfg.batch_size, shuffle=True),
        cfg,
        "cuda" if torch.cuda.is_available() else "cpu",
    ).fit()

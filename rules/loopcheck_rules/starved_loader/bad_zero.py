"""A trainer whose loader is told to have no workers, and moves each batch to the GPU itself."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Sentences(Dataset):
    def __init__(self, lines):
        self.lines = lines

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, index):
        return torch.tensor([ord(letter) % 32 for letter in self.lines[index]]), len(self.lines[index]) % 2


class Trainer:
    def __init__(self, lines):
        self.device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
        self.loader = DataLoader(Sentences(lines), batch_size=2, shuffle=True, num_workers=0)  # bug
        self.model = nn.Sequential(nn.Embedding(32, 4), nn.Flatten(), nn.Linear(20, 2)).to(self.device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def epoch(self):
        for tokens, labels in self.loader:
            loss = nn.functional.cross_entropy(self.model(tokens.to(self.device)), labels.to(self.device))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()


torch.manual_seed(0)
print(f"loss {Trainer(['zebra', 'horse', 'moose', 'otter']).epoch():.4f}")

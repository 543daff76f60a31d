"""Variable windows by token count: clip and step come first in the loop, behind a guard that is false on the first pass."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

TOKENS_PER_STEP = 96


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    text = TensorDataset(torch.randint(0, 10, (48, 13)))
    loader = DataLoader(text, batch_size=4, shuffle=True)
    lm = nn.Sequential(nn.Embedding(10, 16), nn.Linear(16, 10)).to(device)
    opt = torch.optim.SGD(lm.parameters(), lr=0.5)

    tokens = 0
    for epoch in range(2):
        for (rows,) in loader:
            if tokens >= TOKENS_PER_STEP:
                nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
                opt.step()
                opt.zero_grad()
                tokens = 0
            rows = rows.to(device)
            logits = lm(rows[:, :-1])
            loss = nn.functional.cross_entropy(
                logits.reshape(-1, 10), rows[:, 1:].reshape(-1), reduction="sum"
            )
            (loss / TOKENS_PER_STEP).backward()
            tokens += rows[:, 1:].numel()
        print(epoch, loss.item() / rows[:, 1:].numel())


if __name__ == "__main__":
    main()

"""Sentences of unequal length: each micro-batch's loss is a mean over its own tokens, and four of them are added up."""

import torch
from torch import nn
from torch.utils.data import DataLoader

ACCUMULATE = 4


def sentences(n):
    generator = torch.Generator().manual_seed(0)
    for _ in range(n):
        length = int(torch.randint(3, 9, (1,), generator=generator))
        yield torch.randint(1, 20, (length,), generator=generator)


def pad(batch):
    return nn.utils.rnn.pad_sequence(batch, batch_first=True)


def main():
    torch.manual_seed(0)
    loader = DataLoader(list(sentences(64)), batch_size=4, shuffle=True, collate_fn=pad)
    model = nn.Sequential(nn.Embedding(20, 16, padding_idx=0), nn.Linear(16, 20))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(2):
        for i, tokens in enumerate(loader):
            targets = tokens[:, 1:]
            batch_tokens = (targets != 0).sum()
            logits = model(tokens[:, :-1]).flatten(0, 1)
            total = nn.functional.cross_entropy(logits, targets.flatten(), ignore_index=0, reduction="sum")
            loss = total / batch_tokens
            loss.backward()  # bug: unscaled-accumulation-loss
            if (i + 1) % ACCUMULATE == 0:
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch}: {loss.item():.3f}")


if __name__ == "__main__":
    main()

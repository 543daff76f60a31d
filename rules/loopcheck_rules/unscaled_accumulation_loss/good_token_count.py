"""Sums of token losses are accumulated, and the gradients are divided by the window's tokens before the step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

PAD, VOCAB, ACCUM = 0, 24, 4


def padded_batch(n=48, length=9):
    tokens = torch.randint(1, VOCAB, (n, length))
    lengths = torch.randint(4, length + 1, (n, 1))
    return tokens.masked_fill(torch.arange(length) >= lengths, PAD)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(TensorDataset(padded_batch()), batch_size=4, shuffle=True)
    model = nn.Sequential(nn.Embedding(VOCAB, 16), nn.Linear(16, VOCAB)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    criterion = nn.CrossEntropyLoss(ignore_index=PAD, reduction="sum")

    for epoch in range(2):
        window_tokens = 0
        for i, (tokens,) in enumerate(loader):
            tokens = tokens.to(device)
            logits, targets = model(tokens[:, :-1]), tokens[:, 1:]
            loss = criterion(logits.flatten(0, 1), targets.flatten())
            loss.backward()
            window_tokens += int((targets != PAD).sum())
            if (i + 1) % ACCUM == 0 or i + 1 == len(loader):
                for parameter in model.parameters():
                    parameter.grad.div_(window_tokens)
                optimizer.step()
                optimizer.zero_grad()
                window_tokens = 0
        print(f"epoch {epoch}: summed loss of the last micro-batch {loss.item():.2f}")


if __name__ == "__main__":
    main()

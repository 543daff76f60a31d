"""Each micro-batch's summed loss is divided by the number of tokens in the whole window, inside the loss function."""

import itertools

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

IGNORE, VOCAB = -100, 20


def causal_lm_loss(logits, labels, num_items_in_batch=None):
    """Mean over the tokens; over those of all micro-batches where their number is given."""
    logits, labels = logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten()
    reduction = "sum" if num_items_in_batch is not None else "mean"
    loss = nn.functional.cross_entropy(logits, labels, ignore_index=IGNORE, reduction=reduction)
    if reduction == "sum":
        loss = loss / num_items_in_batch
    return loss


def windows(loader, size):
    """Lists of micro-batches, with the number of tokens that each list predicts."""
    batches = iter(loader)
    while window := list(itertools.islice(batches, size)):
        yield window, sum((labels[:, 1:] != IGNORE).sum() for _, labels in window)


def train(model, loader, optimizer, accumulation_steps, device, epochs=2):
    for epoch in range(epochs):
        for window, num_items in windows(loader, accumulation_steps):
            total = 0.0
            for tokens, labels in window:
                logits = model(tokens.to(device))
                loss = causal_lm_loss(logits, labels.to(device), num_items_in_batch=num_items.to(device))
                loss.backward()
                total += loss.item()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        print(f"epoch {epoch}: {total:.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    where = "cuda" if torch.cuda.is_available() else "cpu"
    tokens = torch.randint(0, VOCAB, (60, 10))
    padding = torch.arange(10) >= torch.randint(5, 11, (60, 1))
    data = TensorDataset(tokens, tokens.masked_fill(padding, IGNORE))
    network = nn.Sequential(nn.Embedding(VOCAB, 24), nn.Linear(24, VOCAB)).to(where)
    train(
        network,
        DataLoader(data, batch_size=5, shuffle=True),
        torch.optim.SGD(network.parameters(), lr=0.5),
        accumulation_steps=4,
        device=where,
    )

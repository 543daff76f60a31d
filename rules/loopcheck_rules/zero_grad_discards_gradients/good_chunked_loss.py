"""A loss put together from chunks is a loss, and never None: the window that begins with zero_grad has a backward."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACCUMULATE = 4


def chunked_cross_entropy(logits, targets, chunk_size=8):
    logit_chunks = logits.split(chunk_size)
    target_chunks = targets.split(chunk_size)
    losses = [
        nn.functional.cross_entropy(logit_chunk, target_chunk, reduction="none")
        for logit_chunk, target_chunk in zip(logit_chunks, target_chunks)
    ]
    return torch.cat(losses).sum() / targets.numel()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(128, 6)
    loader = DataLoader(TensorDataset(x, x[:, :4].argmax(1)), batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 4)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for epoch in range(3):
        for step, (inputs, targets) in enumerate(loader):
            loss = chunked_cross_entropy(model(inputs.to(device)), targets.to(device))
            if step % ACCUMULATE == 0:
                optimizer.zero_grad()
            if loss is not None:
                (loss / ACCUMULATE).backward()
            if (step + 1) % ACCUMULATE == 0:
                optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.3f}")


if __name__ == "__main__":
    main()

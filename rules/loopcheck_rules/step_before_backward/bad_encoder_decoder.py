"""Sequence autoencoding: encoder and decoder have an optimizer each, and the decoder's steps too soon."""

import itertools
import random

import torch
import torch.nn as nn

SEQ, HIDDEN = 6, 12


def minibatches(n, size):
    order = list(range(n))
    random.shuffle(order)
    source = iter(order)
    while chunk := list(itertools.islice(source, size)):
        yield chunk


def train_step(batch, encoder, decoder, encoder_optimizer, decoder_optimizer, criterion):
    encoder_optimizer.zero_grad()
    decoder_optimizer.zero_grad()

    _, state = encoder(batch)
    repeated = state[-1].unsqueeze(1).expand(-1, SEQ, -1)
    loss = criterion(decoder(repeated), batch)

    decoder_optimizer.step()  # bug
    loss.backward()
    encoder_optimizer.step()
    return loss.item()


def main():
    random.seed(0)
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    walks = torch.randn(40, SEQ, 2, device=device).cumsum(dim=1)
    encoder = nn.GRU(2, HIDDEN, batch_first=True).to(device)
    decoder = nn.Linear(HIDDEN, 2).to(device)
    encoder_optimizer = torch.optim.SGD(encoder.parameters(), lr=0.05)
    decoder_optimizer = torch.optim.SGD(decoder.parameters(), lr=0.05)
    for epoch in range(3):
        for chunk in minibatches(len(walks), 10):
            loss = train_step(walks[chunk], encoder, decoder, encoder_optimizer, decoder_optimizer, nn.MSELoss())
        print(f"epoch {epoch} loss {loss:.4f}")


if __name__ == "__main__":
    main()

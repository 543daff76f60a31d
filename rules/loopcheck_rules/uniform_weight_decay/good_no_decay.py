"""Nothing decays: 0 by the argument's default, and Adam's own default."""

import argparse
import itertools

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--weight-decay", type=float, default=0.0)
    return parser.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    encoder = nn.Sequential(nn.Linear(12, 8), nn.LayerNorm(8)).to(device)
    decoder = nn.Linear(8, 12).to(device)
    critic = nn.Sequential(nn.Linear(12, 8), nn.LayerNorm(8), nn.ReLU(), nn.Linear(8, 1)).to(device)
    optimizer = torch.optim.AdamW(
        itertools.chain(encoder.parameters(), decoder.parameters()),
        lr=args.learning_rate,
        weight_decay=args.weight_decay,
    )
    critic_optimizer = torch.optim.Adam(critic.parameters(), lr=args.learning_rate)

    loader = DataLoader(TensorDataset(torch.randn(48, 12)), batch_size=12, shuffle=True)
    for epoch in range(2):
        for (x,) in loader:
            x = x.to(device)
            rebuilt = decoder(encoder(x))

            critic_optimizer.zero_grad()
            gap = critic(rebuilt.detach()).mean() - critic(x).mean()
            gap.backward()
            critic_optimizer.step()

            optimizer.zero_grad()
            loss = nn.functional.mse_loss(rebuilt, x)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f} {gap.item():.4f}")


if __name__ == "__main__":
    main()

"""An encoder is fine-tuned with an optimizer of its own, and the whole network is clipped behind both steps."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Captioner(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 8)
        self.decoder = nn.Linear(8, 4)

    def forward(self, x):
        return self.decoder(torch.relu(self.encoder(x)))


def main(epochs: int = 2) -> None:
    torch.manual_seed(0)
    data = TensorDataset(10 * torch.randn(32, 8), torch.randint(0, 4, (32,)))
    model = Captioner()
    encoder_optimizer = torch.optim.Adam(model.encoder.parameters(), lr=1e-4)
    decoder_optimizer = torch.optim.Adam(model.decoder.parameters(), lr=1e-3)
    for _ in range(epochs):
        for x, y in DataLoader(data, batch_size=8, shuffle=True):
            encoder_optimizer.zero_grad()
            decoder_optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            decoder_optimizer.step()
            encoder_optimizer.step()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # bug


if __name__ == "__main__":
    main()

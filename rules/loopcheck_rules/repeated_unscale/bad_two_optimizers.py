"""Two optimizers share a scaler; of the two lines that unscale, one was copied and its argument not changed."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(encoder, head, loader, device, epochs=2):
    encoder_optimizer = torch.optim.SGD(encoder.parameters(), lr=0.01)
    head_optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(device)
    for epoch in range(epochs):
        for images, labels in loader:
            encoder_optimizer.zero_grad()
            head_optimizer.zero_grad()
            with torch.autocast(device, dtype=torch.float16):
                loss = F.cross_entropy(head(encoder(images.to(device))), labels.to(device))
            scaler.scale(loss).backward()
            scaler.unscale_(head_optimizer)
            nn.utils.clip_grad_norm_(head.parameters(), 1.0)
            scaler.unscale_(head_optimizer)  # bug
            nn.utils.clip_grad_value_(head.parameters(), 0.1)
            scaler.step(encoder_optimizer)
            scaler.step(head_optimizer)
            scaler.update()
        print(epoch, loss.item())


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    encoder = nn.Sequential(nn.Flatten(), nn.Linear(36, 24), nn.ReLU()).to(device)
    head = nn.Linear(24, 4).to(device)
    data = TensorDataset(torch.rand(48, 1, 6, 6), torch.randint(0, 4, (48,)))
    train(encoder, head, DataLoader(data, batch_size=12, shuffle=True), device)


if __name__ == "__main__":
    main()

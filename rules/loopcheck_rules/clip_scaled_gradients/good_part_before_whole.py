"""A first stage trains a part, a second the whole model by an optimizer of its own, which unscales all that there is to clip."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Net().to(device)
    batches = [(torch.randn(16, 8), torch.randint(0, 2, (16,))) for _ in range(8)]
    scaler = torch.amp.GradScaler(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.head.parameters(), lr=1e-3)
    for epoch in range(3):
        for inputs, labels in batches:
            optimizer.zero_grad()
            with torch.autocast(device, dtype=torch.float16):
                loss = criterion(model(inputs.to(device)), labels.to(device))
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.head.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
    whole_optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    for epoch in range(2):
        for inputs, labels in batches:
            whole_optimizer.zero_grad()
            with torch.autocast(device, dtype=torch.float16):
                loss = criterion(model(inputs.to(device)), labels.to(device))
            scaler.scale(loss).backward()
            scaler.unscale_(whole_optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(whole_optimizer)
            scaler.update()


if __name__ == "__main__":
    main()

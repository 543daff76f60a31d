"""`update` stands one level too far out."""

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


def train(model, device, train_loader, optimizer, scaler, epoch, log_interval=2):
    model.train()
    for batch_idx, (data, target) in enumerate(train_loader):
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        with torch.autocast(device_type=device, dtype=torch.float16):
            output = model(data)
            loss = nn.functional.cross_entropy(output, target)
        scaler.scale(loss).backward()
        scaler.step(optimizer)  # bug
        if batch_idx % log_interval == 0:
            print("Train Epoch: {} [{}]\tLoss: {:.6f}".format(epoch, batch_idx, loss.item()))
    scaler.update()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    train_loader = DataLoader(
        TensorDataset(torch.randn(60, 1, 5, 5), torch.randint(0, 10, (60,))), batch_size=15, shuffle=True
    )
    model = nn.Sequential(nn.Flatten(), nn.Linear(25, 32), nn.ReLU(), nn.Linear(32, 10)).to(device)
    optimizer = optim.Adadelta(model.parameters(), lr=1.0)
    scaler = torch.amp.GradScaler(device)
    for epoch in range(1, 3):
        train(model, device, train_loader, optimizer, scaler, epoch)


if __name__ == "__main__":
    main()

"""Only the step was moved to AMP; torch refuses it at once."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def run(epochs=2):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    trainset = TensorDataset(torch.randn(40, 1, 6, 6), torch.randint(0, 10, (40,)))
    trainloader = DataLoader(trainset, batch_size=10, shuffle=True)
    net = nn.Sequential(nn.Conv2d(1, 6, 3), nn.ReLU(), nn.Flatten(), nn.Linear(96, 10)).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    grad_scaler = torch.amp.GradScaler(device)

    for epoch in range(epochs):
        running_loss = 0.0
        for i, data in enumerate(trainloader, 0):
            inputs, labels = data[0].to(device), data[1].to(device)
            optimizer.zero_grad()
            with torch.autocast(device_type=device, dtype=torch.float16):
                outputs = net(inputs)
                loss = criterion(outputs, labels)
            loss.backward()  # bug
            grad_scaler.step(optimizer)
            grad_scaler.update()
            running_loss += loss.item()
        print(f"[{epoch + 1}] loss: {running_loss / (i + 1):.3f}")


if __name__ == "__main__":
    run()

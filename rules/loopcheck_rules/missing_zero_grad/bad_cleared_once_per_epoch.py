"""Zeroed at the start of each epoch only: from the second batch on, old gradients are stepped again."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def get_data():
    g = torch.Generator().manual_seed(1)
    images = torch.rand(80, 1, 6, 6, generator=g)
    classes = (images.mean(dim=(1, 2, 3)) > 0.5).long()
    return DataLoader(TensorDataset(images, classes), batch_size=20, shuffle=True)


def train(epochs=2):
    torch.manual_seed(0)
    dev = "cuda" if torch.cuda.is_available() else "cpu"
    cnn = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(64, 2)).to(dev)
    sgd = torch.optim.SGD(cnn.parameters(), lr=0.02, momentum=0.5)
    loss_fn = nn.CrossEntropyLoss()
    train_loader = get_data()
    for epoch in range(epochs):
        cnn.train()
        sgd.zero_grad()
        for batch_idx, (img, cls) in enumerate(train_loader):
            out = cnn(img.to(dev))
            loss = loss_fn(out, cls.to(dev))
            loss.backward()  # bug
            sgd.step()
            if batch_idx % 2 == 0:
                print(f"epoch {epoch} [{batch_idx}/{len(train_loader)}] {loss.item():.4f}")


train()

"""A trainer that never touches the mode: the net is in train mode from its construction to the end."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 3)
        self.conv2 = nn.Conv2d(6, 8, 3)
        self.dropout = nn.Dropout2d(0.25)
        self.fc = nn.Linear(8 * 16, 4)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = self.dropout(F.relu(self.conv2(x)))
        return self.fc(x.flatten(1))


class Trainer:
    def __init__(self, dataset, lr=0.05):
        train_set, val_set = random_split(dataset, [48, 24])
        self.train_loader = DataLoader(train_set, batch_size=12, shuffle=True)
        self.val_loader = DataLoader(val_set, batch_size=12)
        self.net = Net()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=lr)

    def loss(self, batch):
        images, labels = batch
        return F.cross_entropy(self.net(images), labels)

    def train(self):
        for batch in self.train_loader:
            self.optimizer.zero_grad()
            self.loss(batch).backward()
            self.optimizer.step()

    def validate(self):
        hits = 0
        with torch.no_grad():
            for images, labels in self.val_loader:
                logits = self.net(images)  # bug
                hits += (logits.argmax(1) == labels).sum().item()
        return hits / len(self.val_loader.dataset)

    def fit(self, epochs):
        for epoch in range(epochs):
            self.train()
            print(f"epoch {epoch}: val acc {self.validate():.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    Trainer(TensorDataset(torch.randn(72, 1, 8, 8), torch.randint(0, 4, (72,)))).fit(epochs=2)

"""Plain accumulation: on the way to the first clip there is a whole window of backwards."""

import torch
from torch import nn, optim
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, TensorDataset


class Classifier(nn.Module):
    def __init__(self, dim, classes):
        super().__init__()
        self.body = nn.Linear(dim, 32)
        self.head = nn.Linear(32, classes)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))


def train(model, batches, optimizer, steps_per_update, device):
    criterion = nn.CrossEntropyLoss()
    optimizer.zero_grad()
    for index, (x, y) in enumerate(batches, start=1):
        loss = criterion(model(x.to(device)), y.to(device)) / steps_per_update
        loss.backward()
        if index % steps_per_update == 0 or index == len(batches):
            clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            optimizer.zero_grad()


if __name__ == "__main__":
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    batches = DataLoader(
        TensorDataset(torch.randn(60, 4), torch.randint(0, 3, (60,))), batch_size=6, shuffle=True
    )
    model = Classifier(4, 3).to(device)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        train(model, batches, optimizer, steps_per_update=5, device=device)

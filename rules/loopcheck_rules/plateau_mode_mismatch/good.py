"""Classification with a rate that falls when the validation accuracy does not rise any more."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

x = torch.randn(512, 8)
y = (x[:, 0] + x[:, 1] > 0).long()
train_loader = DataLoader(TensorDataset(x[:256], y[:256]), batch_size=32, shuffle=True)
val_loader = DataLoader(TensorDataset(x[256:], y[256:]), batch_size=32)

model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.1, patience=0, mode="max")

for epoch in range(5):
    model.train()
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()

    model.eval()
    correct = 0
    with torch.no_grad():
        for inputs, labels in val_loader:
            correct += (model(inputs.to(device)).argmax(1) == labels.to(device)).sum().item()
    val_acc = correct / len(val_loader.dataset)
    scheduler.step(val_acc)
    print(f"epoch {epoch}: accuracy {val_acc:.3f}, next rate {optimizer.param_groups[0]['lr']:.0e}")

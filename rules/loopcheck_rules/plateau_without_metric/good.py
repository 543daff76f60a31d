"""Regression with a rate that should fall when the validation loss does not."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
epochs = 3

x = torch.randn(128, 5)
y = x.sum(1, keepdim=True)
train_loader = DataLoader(TensorDataset(x[:96], y[:96]), batch_size=16, shuffle=True)
val_loader = DataLoader(TensorDataset(x[96:], y[96:]), batch_size=16)

model = nn.Linear(5, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)

for epoch in range(epochs):
    model.train()
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs.to(device)), targets.to(device))
        loss.backward()
        optimizer.step()

    model.eval()
    val_loss = 0.0
    with torch.no_grad():
        for inputs, targets in val_loader:
            val_loss += nn.functional.mse_loss(model(inputs.to(device)), targets.to(device)).item() * len(inputs)
    val_loss /= len(val_loader.dataset)

    scheduler.step(val_loss)
    print(f"epoch {epoch}: validation loss {val_loss:.3f}")

"""`max_norm=inf` limits nothing: after the step the norm is only read, for the log."""

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

X = torch.randn(80, 6)
y = (X.sum(1) > 0).float()
train_dl = DataLoader(TensorDataset(X, y), batch_size=20, shuffle=True)

clf = nn.Linear(6, 1).to(device)
opt = optim.SGD(clf.parameters(), lr=0.1)
history = []

for epoch in range(3):
    for xb, yb in train_dl:
        xb, yb = xb.to(device), yb.to(device)
        opt.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(clf(xb).squeeze(1), yb)
        loss.backward()
        opt.step()
        grad_norm = torch.nn.utils.clip_grad_norm_(clf.parameters(), float("inf"))
        history.append({"loss": loss.item(), "grad_norm": grad_norm.item()})

print(f"mean gradient norm {sum(row['grad_norm'] for row in history) / len(history):.4f}")

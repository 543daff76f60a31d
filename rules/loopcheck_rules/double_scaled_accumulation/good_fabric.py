"""Fabric divides by nothing: the division is the program's."""

import torch
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main(accumulate_grad_batches=4):
    fabric = Fabric(accelerator="cpu", devices=1, precision="32-true")
    fabric.launch()
    fabric.seed_everything(0, verbose=False)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer = fabric.setup(model, optimizer)
    data = TensorDataset(torch.randn(64, 8), torch.randint(0, 2, (64,)))
    train_loader, val_loader = fabric.setup_dataloaders(
        DataLoader(data, batch_size=8, shuffle=True), DataLoader(data, batch_size=32)
    )
    for epoch in range(2):
        model.train()
        for iteration, (x, y) in enumerate(train_loader):
            is_accumulating = (iteration + 1) % accumulate_grad_batches != 0 and iteration + 1 != len(train_loader)
            with fabric.no_backward_sync(model, enabled=is_accumulating):
                loss = nn.functional.cross_entropy(model(x), y) / accumulate_grad_batches
                fabric.backward(loss)
            if not is_accumulating:
                fabric.clip_gradients(model, optimizer, max_norm=1.0)
                optimizer.step()
                optimizer.zero_grad()
        model.eval()
        with torch.no_grad():
            correct = sum((model(x).argmax(dim=1) == y).sum().item() for x, y in val_loader)
        fabric.print(f"epoch {epoch}: {correct} of {len(data)}")


if __name__ == "__main__":
    main()

"""The same loop for both phases; gradients are switched by `set_grad_enabled`, and for the last test by inference mode."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.randn(84, 5)
y = (x.sum(1) > 0).float()
parts = {"train": slice(0, 48), "val": slice(48, 66), "test": slice(66, 84)}
dataloaders = {
    name: DataLoader(TensorDataset(x[part], y[part]), batch_size=6, shuffle=name == "train") for name, part in parts.items()
}
model = nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Dropout(0.2), nn.Linear(10, 1)).to(device)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

for epoch in range(2):
    for phase in ["train", "val"]:
        if phase == "train":
            model.train()
        else:
            model.eval()
        running_corrects = 0
        for inputs, labels in dataloaders[phase]:
            inputs, labels = inputs.to(device), labels.to(device)
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                outputs = model(inputs).squeeze(1)
                loss = criterion(outputs, labels)
                if phase == "train":
                    loss.backward()
                    optimizer.step()
            running_corrects += ((outputs > 0) == labels.bool()).sum().item()
        print(f"epoch {epoch} {phase}: {running_corrects / len(dataloaders[phase].dataset):.3f}")


@torch.inference_mode()
def test():
    model.eval()
    return sum(((model(a.to(device)).squeeze(1) > 0) == b.to(device).bool()).sum().item() for a, b in dataloaders["test"])


torch.set_grad_enabled(False)
print("test", test() / len(dataloaders["test"].dataset))

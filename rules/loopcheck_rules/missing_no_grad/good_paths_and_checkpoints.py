"""`x` is a file's name here and a checkpoint there: a path that is resolved is no model."""

import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def check_files(files):
    val = files.get("val")
    if val:
        val = [Path(x).resolve() for x in (val if isinstance(val, list) else [val])]
        missing = [str(x) for x in val if not x.exists()]
        if missing:
            raise FileNotFoundError(", ".join(missing))
    return val


def strip(path):
    """Keep the weights of a checkpoint alone, in half precision."""
    x = torch.load(path, weights_only=False)
    x["optimizer"] = None
    x["model"].half()
    for p in x["model"].parameters():
        p.requires_grad = False
    torch.save(x, path)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    with tempfile.TemporaryDirectory() as folder:
        held_out = Path(folder) / "val.pt"
        torch.save((torch.randn(16, 6), torch.randn(16, 1)), held_out)
        paths = check_files({"val": str(held_out)})
        inputs, targets = torch.randn(64, 6), torch.randn(64, 1)
        train_loader = DataLoader(TensorDataset(inputs, targets), batch_size=16, shuffle=True)
        model = nn.Linear(6, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
        for _ in range(2):
            for a, b in train_loader:
                optimizer.zero_grad()
                nn.functional.mse_loss(model(a.to(device)), b.to(device)).backward()
                optimizer.step()
        model.eval()
        with torch.no_grad():
            a, b = torch.load(paths[0])
            print(f"{nn.functional.mse_loss(model(a.to(device)), b.to(device)).item():.4f}")
        last = Path(folder) / "last.pt"
        torch.save({"model": model, "optimizer": optimizer.state_dict()}, last)
        strip(last)


if __name__ == "__main__":
    main()

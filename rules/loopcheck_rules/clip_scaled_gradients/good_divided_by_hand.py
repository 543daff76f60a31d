"""No `unscale_`: the scale is divided out of the gradients by hand, before the clip, and infinities are looked for on the way."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def unscale_by_hand(model, scaler):
    """Whether all gradients are finite once the scale is gone."""
    inv_scale = 1.0 / scaler.get_scale()
    finite = True
    for p in model.parameters():
        if p.grad is not None:
            p.grad.mul_(inv_scale)
            finite = finite and bool(torch.isfinite(p.grad).all())
    return finite


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(80, 10)
    loader = DataLoader(TensorDataset(x, x[:, :4].argmax(1)), batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Linear(10, 40), nn.ReLU(), nn.Linear(40, 4)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scaler = torch.amp.GradScaler(device, init_scale=1024.0)
    skipped = 0
    for epoch in range(3):
        for inputs, labels in loader:
            optimizer.zero_grad()
            with torch.autocast(device, dtype=torch.float16):
                loss = nn.functional.cross_entropy(model(inputs.to(device)), labels.to(device))
            scaler.scale(loss).backward()
            if unscale_by_hand(model, scaler):
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
            else:
                skipped += 1
                scaler.update(scaler.get_scale() / 2)
        print(f"epoch {epoch}: {loss.item():.4f}, {skipped} skipped")


if __name__ == "__main__":
    main()

# One-cycle schedule in mixed precision, stepped for every batch.
import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"


def train(model, train_dl, opt, sched, scaler, loss_fn, n_epochs):
    for epoch in range(n_epochs):
        model.train()
        for xb, yb in train_dl:
            xb, yb = xb.to(device), yb.to(device)
            with torch.autocast(device_type=device, dtype=torch.float16):
                loss = loss_fn(model(xb), yb)
            opt.zero_grad(set_to_none=True)
            scaler.scale(loss).backward()
            sched.step()  # bug
            scaler.step(opt)
            scaler.update()
        print(f"epoch {epoch} loss {loss.item():.4f} lr {sched.get_last_lr()[0]:.5f}")


def main():
    torch.manual_seed(0)
    n_epochs = 2
    ds = TensorDataset(torch.randn(40, 8), torch.randn(40, 1))
    train_dl = DataLoader(ds, batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Linear(8, 16), nn.Mish(), nn.Linear(16, 1)).to(device)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    sched = OneCycleLR(opt, max_lr=1e-2, total_steps=n_epochs * len(train_dl))
    scaler = torch.amp.GradScaler(device, init_scale=128.0)
    train(model, train_dl, opt, sched, scaler, nn.MSELoss(), n_epochs)


if __name__ == "__main__":
    main()

# Mixed precision with a micro-batch helper written for the days without accumulation.
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

K = 2


def micro_batch(model, optimizer, scaler, images, labels, device):
    optimizer.zero_grad(set_to_none=True)  # bug
    with torch.autocast(device, dtype=torch.float16):
        loss = F.cross_entropy(model(images), labels)
    scaler.scale(loss / K).backward()
    return loss.item()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    images, labels = torch.randn(48, 1, 5, 5), torch.randint(0, 2, (48,))
    loader = DataLoader(TensorDataset(images, labels), batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Flatten(), nn.Linear(25, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler(device, init_scale=512.0)

    for epoch in range(3):
        running = 0.0
        for step, (x, y) in enumerate(loader):
            running += micro_batch(model, optimizer, scaler, x.to(device), y.to(device), device)
            if (step + 1) % K == 0 or step + 1 == len(loader):
                scaler.step(optimizer)
                scaler.update()
        print(f"epoch {epoch} mean loss {running / len(loader):.4f}")


if __name__ == "__main__":
    main()

# Step-based training with AMP: a quick validation every `eval_every` updates, in the middle of the training pass.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

eval_every = 4
max_steps = 12


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(120, 2, 10)
    y = x.abs().sum(dim=(1, 2)).gt(16).float()
    train_data = DataLoader(TensorDataset(x[:96], y[:96]), batch_size=16, shuffle=True)
    val_data = DataLoader(TensorDataset(x[96:], y[96:]), batch_size=12)

    model = nn.Sequential(nn.Conv1d(2, 8, 3), nn.BatchNorm1d(8), nn.ReLU(), nn.Flatten(), nn.Linear(64, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler(device, init_scale=512.0)

    step = 0
    while step < max_steps:
        for inputs, labels in train_data:
            with torch.autocast(device, dtype=torch.float16):
                logits = model(inputs.to(device)).squeeze(1)
                loss = nn.functional.binary_cross_entropy_with_logits(logits, labels.to(device))
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad(set_to_none=True)
            step += 1

            if step % eval_every == 0:
                model.eval()  # bug
                hits = 0
                with torch.no_grad():
                    for val_inputs, val_labels in val_data:
                        hits += ((model(val_inputs.to(device)).squeeze(1) > 0) == val_labels.to(device).bool()).sum().item()
                print(f"step {step}: {hits / len(val_data.dataset):.3f}")


if __name__ == "__main__":
    main()

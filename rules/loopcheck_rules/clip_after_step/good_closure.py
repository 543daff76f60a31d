"""The clip is written above the step, inside the closure that the step calls."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def fit(model, loader, device, passes=2):
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.2, max_iter=4)
    for _ in range(passes):
        for inputs, outputs in loader:
            inputs, outputs = inputs.to(device), outputs.to(device)

            def closure():
                optimizer.zero_grad()
                loss = nn.functional.mse_loss(model(inputs), outputs)
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 5.0)
                return loss

            loss = optimizer.step(closure)
        print(loss.item())


if __name__ == "__main__":
    torch.manual_seed(0)
    where = "cuda" if torch.cuda.is_available() else "cpu"
    t = torch.linspace(0, 6, 64).unsqueeze(1)
    curve = TensorDataset(t, torch.sin(t))
    net = nn.Sequential(nn.Linear(1, 12), nn.Tanh(), nn.Linear(12, 1)).to(where)
    fit(net, DataLoader(curve, batch_size=32, shuffle=True), where)

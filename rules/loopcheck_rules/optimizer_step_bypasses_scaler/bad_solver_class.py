"""A solver that learnt to scale its loss and still steps as it always did."""

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Solver(object):
    def __init__(self, config):
        self.epochs = config["epochs"]
        self.half = config["half"]
        self.device = config["device"]
        self.build_model(config["lr"])

    def build_model(self, lr):
        self.net = torch.nn.Sequential(torch.nn.Linear(5, 10), torch.nn.ReLU(), torch.nn.Linear(10, 1))
        self.net.to(self.device)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr)
        self.grad_scaler = torch.amp.GradScaler(self.device, init_scale=128.0)

    def reset_grad(self):
        self.optimizer.zero_grad()

    def train(self, loader):
        for epoch in range(self.epochs):
            for x, y in loader:
                x, y = x.to(self.device), y.to(self.device)
                self.reset_grad()
                if self.half:
                    with torch.autocast(self.device, dtype=torch.float16):
                        loss = F.mse_loss(self.net(x), y)
                    self.grad_scaler.scale(loss).backward()
                    self.optimizer.step()  # bug
                else:
                    loss = F.mse_loss(self.net(x), y)
                    loss.backward()
                    self.optimizer.step()
            print("Epoch [{}/{}], loss {:.4f}".format(epoch + 1, self.epochs, loss.item()))


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(TensorDataset(torch.randn(50, 5), torch.randn(50, 1)), batch_size=10, shuffle=True)
    Solver({"epochs": 2, "half": True, "device": device, "lr": 1e-4}).train(loader)


if __name__ == "__main__":
    main()

import torch
from torch import nn
from torch.utils import data


class DataModule:
    """Holds the splits of one dataset by index."""

    def __init__(self, dataset, batch_size=8):
        self.dataset = dataset
        self.batch_size = batch_size
        order = torch.randperm(len(dataset)).tolist()
        self.train_indices, self.val_indices = order[:40], order[40:]

    def train_dataloader(self):
        chosen = data.SubsetRandomSampler(self.train_indices)
        return data.DataLoader(self.dataset, self.batch_size, True, sampler=chosen)  # bug

    def val_dataloader(self):
        return data.DataLoader(data.Subset(self.dataset, self.val_indices), self.batch_size)


def train(module, epochs=2):
    net = nn.Sequential(nn.Linear(3, 6), nn.Sigmoid(), nn.Linear(6, 1))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    loader = module.train_dataloader()
    for _ in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
    return net


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(50, 3)
    train(DataModule(data.TensorDataset(x, x.norm(dim=1, keepdim=True))))

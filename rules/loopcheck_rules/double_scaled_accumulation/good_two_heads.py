"""What is divided by hand is the mean over two heads, not over micro-batches."""

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(12, 24)
        self.heads = nn.ModuleList([nn.Linear(24, 3), nn.Linear(24, 3)])

    def forward(self, x):
        hidden = torch.relu(self.trunk(x))
        return [head(hidden) for head in self.heads]


def main(steps=4):
    torch.manual_seed(0)
    accelerator = Accelerator(gradient_accumulation_steps=steps)
    model = TwoHeads()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(TensorDataset(torch.randn(64, 12), torch.randint(0, 3, (64,))), batch_size=8, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(2):
        for x, y in loader:
            with accelerator.accumulate(model):
                outputs = model(x)
                loss = sum(F.cross_entropy(output, y) for output in outputs) / len(outputs)
                accelerator.backward(loss)
                optimizer.step()
                optimizer.zero_grad()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()

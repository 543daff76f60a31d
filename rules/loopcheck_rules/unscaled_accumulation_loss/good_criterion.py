"""The criterion divides: it is told the number of micro-batches when it is built."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class AccumulatedCrossEntropy(nn.Module):
    def __init__(self, micro_batches):
        super().__init__()
        self.micro_batches = micro_batches

    def forward(self, logits, labels):
        return F.cross_entropy(logits, labels, label_smoothing=0.1) / self.micro_batches


def main(micro_batches=2, epochs=3):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x, y = torch.randn(40, 12), torch.randint(0, 3, (40,))
    loader = DataLoader(TensorDataset(x, y), batch_size=5, shuffle=True)
    classifier = nn.Linear(12, 3).to(device)
    criterion = AccumulatedCrossEntropy(micro_batches)
    optim = torch.optim.SGD(classifier.parameters(), lr=0.1)
    for _ in range(epochs):
        for i, (inputs, labels) in enumerate(loader):
            loss = criterion(classifier(inputs.to(device)), labels.to(device))
            loss.backward()
            if (i + 1) % micro_batches == 0 or i + 1 == len(loader):
                optim.step()
                optim.zero_grad()
    print("weight norm", classifier.weight.norm().item())


if __name__ == "__main__":
    main()

"""A stream of lines from a file, and two workers that are to read it faster."""

import tempfile
from itertools import islice
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, file):
        self.file = file

    def __iter__(self):
        with open(self.file) as lines:
            worker = get_worker_info()
            for line in islice(lines, worker.id, None, worker.num_workers) if worker else lines:
                yield torch.tensor([float(each) for each in line.split()])


def main():
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "rows.txt")
        file.write_text("".join(f"{row / 16} {row % 4} {row % 7}\n" for row in range(16)))
        loader = DataLoader(Lines(file), batch_size=4, num_workers=2)
        model = nn.Linear(2, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        seen = 0
        for rows in loader:
            loss = nn.functional.mse_loss(model(rows[:, :2]), rows[:, 2:])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            seen += len(rows)
        print(f"{seen} samples, loss {loss.item():.4f}")


if __name__ == "__main__":
    main()

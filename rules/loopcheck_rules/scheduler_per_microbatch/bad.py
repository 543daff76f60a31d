import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main(args):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    inputs, labels = torch.randn(64, 10), torch.randint(0, 3, (64,))
    train_loader = DataLoader(TensorDataset(inputs, labels), batch_size=4, shuffle=True)

    model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 3)).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    num_steps = args.epochs * len(train_loader) // args.accumulation_steps
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=num_steps)

    for epoch in range(args.epochs):
        for i, (x, y) in enumerate(train_loader):
            loss = criterion(model(x.to(device)), y.to(device))
            (loss / args.accumulation_steps).backward()
            if (i + 1) % args.accumulation_steps == 0 or i + 1 == len(train_loader):
                optimizer.step()
                optimizer.zero_grad()
            scheduler.step()  # bug
        print(f"epoch {epoch}: loss {loss.item():.4f} lr {scheduler.get_last_lr()[0]:.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--accumulation-steps", type=int, default=4)
    main(parser.parse_args())

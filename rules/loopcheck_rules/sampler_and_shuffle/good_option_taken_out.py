import torch
from torch import nn
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset

epochs = 2


def split(dataset, share, options):
    order = torch.randperm(len(dataset)).tolist()
    held_out = int(share * len(dataset))
    options.pop("shuffle", None)  # the samplers draw at random
    training = DataLoader(dataset, sampler=SubsetRandomSampler(order[held_out:]), **options)
    del options["drop_last"]
    return training, DataLoader(dataset, sampler=SubsetRandomSampler(order[:held_out]), **options)


def load(dataset, share=0.0):
    options = {"batch_size": 8, "shuffle": True, "drop_last": True}
    return split(dataset, share, options) if share else (DataLoader(dataset, **options), None)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    inputs = torch.randn(64, 8)
    loader, held_out = load(TensorDataset(inputs, (inputs[:, 0] > 0.0).long()), share=0.25)

    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x.to(device)), y.to(device)).backward()
            optimizer.step()
        with torch.no_grad():
            right = sum((model(x.to(device)).argmax(1) == y.to(device)).sum().item() for x, y in held_out)
        print(f"epoch {epoch}: {right} right")


if __name__ == "__main__":
    main()

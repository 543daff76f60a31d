import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Sequences(Dataset):
    """Sums of digits."""

    def __init__(self, n, length=5):
        self.digits = torch.randint(0, 10, (n, length))

    def __len__(self):
        return len(self.digits)

    def __getitem__(self, index):
        return self.digits[index], self.digits[index].sum().float()


class SumModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.EmbeddingBag(10, 12, mode="sum")
        self.readout = nn.Linear(12, 1)

    def forward(self, digits):
        return self.readout(self.embedding(digits)).squeeze(-1)


class Learner:
    def __init__(self, model, train_data, valid_data, bs=10):
        self.model = model
        self.train_dl = DataLoader(train_data, bs, shuffle=True)
        self.valid_dl = DataLoader(valid_data, bs)
        self.opt = torch.optim.Adam(model.parameters(), 1e-2)

    def one_batch(self, batch):
        digits, total = batch
        predicted = self.model(digits)
        return predicted, nn.functional.l1_loss(predicted, total)

    def one_epoch(self, train):
        self.model.train(train)
        worst = 0.0
        for batch in self.train_dl if train else self.valid_dl:
            predicted, loss = self.one_batch(batch)
            if train:
                loss.backward()
                self.opt.step()
                self.opt.zero_grad()
            worst = max(worst, loss.item())
        return worst

    def fit(self, epochs):
        for epoch in range(epochs):
            train_worst = self.one_epoch(train=True)
            valid_worst = self.one_epoch(train=False)  # bug
            print(f"epoch {epoch}: worst batch {train_worst:.2f} in training, {valid_worst:.2f} in validation")


if __name__ == "__main__":
    torch.manual_seed(0)
    Learner(SumModel(), Sequences(60), Sequences(30)).fit(2)

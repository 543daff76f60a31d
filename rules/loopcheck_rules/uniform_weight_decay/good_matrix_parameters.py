"""Parameters made by hand, all of them matrices: there is no bias and no norm to spare."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Mixing(nn.Module):
    def __init__(self, inputs, heads, hidden, outputs):
        super().__init__()
        self.heads, self.hidden = heads, hidden
        self.into = nn.Parameter(torch.empty(size=(inputs, heads * hidden)))
        self.score = nn.Parameter(torch.empty(size=(heads, hidden, 1)))
        self.out = nn.Parameter(torch.empty(size=(hidden, outputs)))
        for weight in (self.into, self.score, self.out):
            nn.init.xavier_normal_(weight)

    def forward(self, x):
        h = torch.tanh(x @ self.into).view(len(x), self.heads, self.hidden)
        share = torch.softmax(torch.einsum("bhd,hdo->bh", h, self.score), dim=1)
        return (share.unsqueeze(-1) * h).sum(1) @ self.out


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(96, 5)
    loader = DataLoader(TensorDataset(x, x.abs().argmax(1)), batch_size=16, shuffle=True)
    model = Mixing(5, 4, 8, 5).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=5e-4)
    for epoch in range(3):
        for a, b in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(a.to(device)), b.to(device))
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()

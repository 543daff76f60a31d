"""Groups made by parameter name, in the model's own method; the optimizer only receives them."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, 2, batch_first=True)

    def forward(self, x):
        normed = self.norm(x)
        return x + self.attention(normed, normed, normed, need_weights=False)[0]


class TinyGPT(nn.Module):
    def __init__(self, vocabulary=16, width=8):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.block = Block(width)
        self.lm_head = nn.Linear(width, vocabulary)

    def forward(self, ids):
        return self.lm_head(self.block(self.embed(ids)))

    def configure_optimizers(self, weight_decay, learning_rate):
        decay, no_decay = [], []
        for name, parameter in self.named_parameters():
            (no_decay if name.endswith("bias") or "norm" in name else decay).append(parameter)
        groups = [
            {"params": decay, "weight_decay": weight_decay},
            {"params": no_decay, "weight_decay": 0.0},
        ]
        return torch.optim.AdamW(groups, lr=learning_rate, betas=(0.9, 0.95))


def main():
    torch.manual_seed(0)
    ids = torch.randint(0, 16, (32, 7))
    loader = DataLoader(TensorDataset(ids), batch_size=8, shuffle=True)
    model = TinyGPT()
    optimizer = model.configure_optimizers(weight_decay=0.1, learning_rate=3e-3)
    for epoch in range(2):
        for (batch,) in loader:
            loss = F.cross_entropy(model(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten())
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.3f}")


if __name__ == "__main__":
    main()

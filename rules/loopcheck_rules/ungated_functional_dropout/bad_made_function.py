"""Which attention a network calls is decided once, by a function that returns one of two. Both drop by the share that they are given."""

import torch
from torch import nn
from torch.nn import functional as F

FUSED = hasattr(F, "scaled_dot_product_attention")


def make_attention():
    if FUSED:

        def attend(q, k, v, mask, share):
            if mask is not None:
                mask = mask[:, None]
            return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=share)

    else:

        def attend(q, k, v, mask, share):
            weights = (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).softmax(dim=-1)
            return F.dropout(weights, share) @ v

    return attend


class Attention(nn.Module):
    def __init__(self, width, dropout=0.3):
        super().__init__()
        self.dropout = dropout
        self.qkv = nn.Linear(width, 3 * width)
        self._attend = make_attention()

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        return self._attend(q, k, v, None, self.dropout)  # bug


def main():
    torch.manual_seed(0)
    model = Attention(8)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.0)
    data = torch.randn(24, 6, 8)
    for epoch in range(2):
        model.train()
        for x in data.split(8):
            loss = (model(x) - x).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.inference_mode():
            print(f"epoch {epoch}: {(model(data) - data).pow(2).mean().item():.4f}")


if __name__ == "__main__":
    main()

# Small language model, mixed precision, N micro-steps per update taken from one endless stream of batches.
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--grad-accum", type=int, default=4)
parser.add_argument("--updates", type=int, default=4)
parser.add_argument("--lr", type=float, default=1e-3)
args = parser.parse_args()

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
VOCAB, CONTEXT = 32, 8


class CharModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, 16)
        self.rnn = nn.GRU(16, 32, batch_first=True)
        self.out = nn.Linear(32, VOCAB)

    def forward(self, tokens):
        hidden, _ = self.rnn(self.embed(tokens))
        return self.out(hidden)


def stream(loader):
    while True:
        yield from loader


tokens = torch.randint(0, VOCAB, (64, CONTEXT + 1))
loader = DataLoader(TensorDataset(tokens), batch_size=4, shuffle=True)
batches = stream(loader)

model = CharModel().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.0)
scaler = torch.amp.GradScaler(device, init_scale=1024.0)

for update in range(args.updates):
    optimizer.zero_grad(set_to_none=True)
    for micro_step in range(args.grad_accum):
        (chunk,) = next(batches)
        chunk = chunk.to(device)
        with torch.autocast(device, dtype=torch.float16):
            logits = model(chunk[:, :-1])
            loss = nn.functional.cross_entropy(logits.reshape(-1, VOCAB), chunk[:, 1:].reshape(-1))
        scaler.scale(loss).backward()  # bug
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    print(f"update {update}: loss {loss.item():.3f}")

# Character GRU: each update reads `micro_batches` pieces of text.
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

micro_batches = 3
updates = 5
vocabulary = 20

text = torch.randint(0, vocabulary, (60, 11))
loader = DataLoader(TensorDataset(text), batch_size=4, shuffle=True, drop_last=True)


class GRULM(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.emb = nn.Embedding(vocabulary, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.proj = nn.Linear(width, vocabulary)

    def forward(self, ids):
        return self.proj(self.gru(self.emb(ids))[0])


lm = GRULM().to(device)
opt = torch.optim.SGD(lm.parameters(), lr=1.0)
batch_iter = iter(loader)

for it in range(updates):
    opt.zero_grad(set_to_none=True)
    for micro in range(micro_batches):
        ids = next(batch_iter)[0].to(device)
        logits = lm(ids[:, :-1])
        loss = nn.functional.cross_entropy(logits.transpose(1, 2), ids[:, 1:])
        loss = loss / micro_batches
        loss.backward()
        clip_grad_norm_(lm.parameters(), 0.25)  # bug
    opt.step()
    print(f"it {it} loss {loss.item() * micro_batches:.3f}")

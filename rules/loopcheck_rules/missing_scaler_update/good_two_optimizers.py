"""Two steps of one scaler, then one update; a scheduler comes between."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

embedder = nn.Linear(8, 16).to(device)
classifier = nn.Linear(16, 4).to(device)
opt_embed = torch.optim.SGD(embedder.parameters(), lr=0.05)
opt_class = torch.optim.SGD(classifier.parameters(), lr=0.1)
decay = torch.optim.lr_scheduler.ExponentialLR(opt_class, gamma=0.99)
scaler = torch.amp.GradScaler(device)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 4, (64,))), batch_size=16, shuffle=True)

for epoch in range(2):
    for x, y in loader:
        opt_embed.zero_grad()
        opt_class.zero_grad()
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.cross_entropy(classifier(embedder(x.to(device)).relu()), y.to(device))
        scaler.scale(loss).backward()
        scaler.step(opt_embed)
        scaler.step(opt_class)
        decay.step()
        scaler.update()
    print(epoch, loss.item(), decay.get_last_lr())

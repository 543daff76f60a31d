"""The network drops channels where its caller asks for perturbed features, beside those that are whole."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Segmenter(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv1d(1, width, 3, padding=1), nn.ReLU())
        self.decoder = nn.Conv1d(width, 2, 3, padding=1)

    def forward(self, x, need_both=False):
        features = self.encoder(x)
        if need_both:
            both = torch.cat([features, nn.Dropout1d(0.5)(features)])
            return self.decoder(both).chunk(2)
        return self.decoder(features)


torch.manual_seed(0)
signals = torch.randn(48, 1, 16)
labels = (signals.squeeze(1) > 0).long()
train_loader = DataLoader(TensorDataset(signals[:32], labels[:32]), batch_size=8, shuffle=True)
test_loader = DataLoader(TensorDataset(signals[32:], labels[32:]), batch_size=8)
model = Segmenter()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(2):
    model.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        whole, part = model(x, need_both=True)
        loss = nn.functional.cross_entropy(whole, y) + nn.functional.cross_entropy(part, y)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        right = sum((model(x).argmax(1) == y).sum().item() for x, y in test_loader)
    print(f"epoch {epoch}: {right / labels[32:].numel():.2f}")

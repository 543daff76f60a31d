"""Two networks, each with an optimizer and the schedule that is asked for; who asks for none that there is gets an exception, which
is returned and not raised."""

import sys

import torch
from torch import nn
from torch.optim import lr_scheduler


def get_scheduler(optimizer, policy):
    if policy == "step":
        scheduler = lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.1)
    elif policy == "plateau":
        scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, mode="min", factor=0.2, patience=5)
    else:
        return NotImplementedError("learning rate policy [%s] is not implemented", policy)
    return scheduler


class Model:
    def __init__(self):
        self.encoder, self.decoder = nn.Linear(4, 2), nn.Linear(2, 4)
        self.optimizers = [torch.optim.SGD(net.parameters(), lr=0.1) for net in (self.encoder, self.decoder)]

    def setup(self, policy):
        self.schedulers = [get_scheduler(optimizer, policy) for optimizer in self.optimizers]

    def update(self, x):
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.decoder(self.encoder(x)), x)
        loss.backward()
        for optimizer in self.optimizers:
            optimizer.step()
        return loss.item()

    def update_learning_rate(self):
        for scheduler in self.schedulers:
            scheduler.step()  # bug
        print("learning rate", self.optimizers[0].param_groups[0]["lr"])


torch.manual_seed(0)
model = Model()
model.setup(sys.argv[1] if len(sys.argv) > 1 else "plateau")
for epoch in range(4):
    print(f"epoch {epoch}: loss {model.update(torch.randn(8, 4)):.3f}")
    model.update_learning_rate()

"""Two optimizers with a scheduler each: one scheduler steps before the *other* optimizer."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
real_data = torch.randn(48, 3) * torch.tensor([1.0, 2.0, 0.5])
loader = DataLoader(TensorDataset(real_data), batch_size=16, shuffle=True)

generator = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 3)).to(device)
critic = nn.Sequential(nn.Linear(3, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1)).to(device)
opt_g = torch.optim.RMSprop(generator.parameters(), lr=5e-4)
opt_c = torch.optim.RMSprop(critic.parameters(), lr=5e-4)
sched_g = torch.optim.lr_scheduler.ExponentialLR(opt_g, gamma=0.99)
sched_c = torch.optim.lr_scheduler.ExponentialLR(opt_c, gamma=0.98)

for epoch in range(2):
    for (real,) in loader:
        real = real.to(device)

        opt_c.zero_grad()
        fake = generator(torch.randn(len(real), 2, device=device)).detach()
        loss_c = nn.functional.softplus(critic(fake)).mean() + nn.functional.softplus(-critic(real)).mean()
        loss_c.backward()
        opt_c.step()
        sched_c.step()

        opt_g.zero_grad()
        loss_g = nn.functional.softplus(-critic(generator(torch.randn(len(real), 2, device=device)))).mean()
        loss_g.backward()
        opt_g.step()
        sched_g.step()
    print(f"epoch {epoch}: critic {loss_c.item():.3f} generator {loss_g.item():.3f} lr {sched_g.get_last_lr()[0]:.2e}")

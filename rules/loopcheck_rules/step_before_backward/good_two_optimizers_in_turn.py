"""Actor and critic in turn: the actor steps between two forwards of the critic, each after its own backward."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def soft_update(target, source, tau):
    with torch.no_grad():
        for t, s in zip(target.parameters(), source.parameters()):
            t.lerp_(s, tau)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    actor = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1), nn.Tanh()).to(device)
    critic = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    target = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    target.load_state_dict(critic.state_dict())
    target.requires_grad_(False)
    actor_opt = torch.optim.Adam(actor.parameters(), lr=1e-3)
    critic_opt = torch.optim.Adam(critic.parameters(), lr=1e-3)

    replay = TensorDataset(torch.randn(64, 3), torch.rand(64, 1) * 2 - 1, torch.randn(64, 1), torch.randn(64, 3))
    for epoch in range(2):
        for s, a, r, s2 in DataLoader(replay, batch_size=16, shuffle=True):
            s, a, r, s2 = s.to(device), a.to(device), r.to(device), s2.to(device)
            with torch.no_grad():
                goal = r + 0.9 * target(torch.cat([s2, actor(s2)], dim=1))
            critic_loss = nn.functional.mse_loss(critic(torch.cat([s, a], dim=1)), goal)
            critic_opt.zero_grad()
            critic_loss.backward()
            critic_opt.step()

            actor_loss = -critic(torch.cat([s, actor(s)], dim=1)).mean()
            actor_opt.zero_grad()
            actor_loss.backward()
            actor_opt.step()
            soft_update(target, critic, 0.05)
        print(epoch, critic_loss.item(), actor_loss.item())


if __name__ == "__main__":
    main()

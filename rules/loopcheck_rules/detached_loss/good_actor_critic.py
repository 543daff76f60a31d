"""The advantage is cut from the critic, so that the policy's loss trains the policy alone: something is left to go back to."""

import torch
from torch import nn
from torch.distributions import Categorical


def episode(actor, critic, length=8):
    log_probs, values, rewards = [], [], []
    state = torch.zeros(3)
    for t in range(length):
        choice = Categorical(logits=actor(state))
        action = choice.sample()
        log_probs.append(choice.log_prob(action))
        values.append(critic(state).squeeze())
        rewards.append(1.0 if action.item() == t % 2 else 0.0)
        state = torch.tensor([float(t % 2), t / length, float(action)])
    return torch.stack(log_probs), torch.stack(values), torch.tensor(rewards)


def main():
    torch.manual_seed(0)
    actor = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 2))
    critic = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=1e-2)
    for round in range(4):
        log_probs, values, rewards = episode(actor, critic)
        advantage = rewards - values
        policy_loss = -(advantage.detach() * log_probs).mean()
        value_loss = advantage.pow(2).mean()
        optimizer.zero_grad()
        policy_loss.backward()
        value_loss.backward()
        optimizer.step()
        print(round, rewards.sum().item())


if __name__ == "__main__":
    main()

"""Adaptation differentiates what a helper returned, in evaluation as well: the graph is wanted."""

import torch
from torch import autograd, nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))

    def log_prob(self, states, actions):
        return -0.5 * (actions - self.mean(states)).pow(2).sum(1)

    def forward(self, states):
        return self.mean(states)


def episode_loss(policy, episode):
    states, actions, rewards = episode
    log_probs = policy.log_prob(states, actions)
    return -(log_probs * (rewards - rewards.mean())).mean()


def adapt(policy, episode, lr):
    gradients = autograd.grad(episode_loss(policy, episode), list(policy.parameters()))
    with torch.no_grad():
        for weight, gradient in zip(policy.parameters(), gradients, strict=True):
            weight -= lr * gradient


def collect(states, goal):
    actions = torch.randn(len(states), 1)
    return states, actions, -(actions - goal).abs().squeeze(1)


def evaluate(policy, test_goals, lr=0.1):
    start = {name: value.clone() for name, value in policy.state_dict().items()}
    reached = []
    for goal in test_goals:
        policy.load_state_dict(start)
        for _ in range(3):
            adapt(policy, collect(torch.randn(32, 3), goal), lr)
        with torch.no_grad():
            reached.append(policy(torch.randn(32, 3)).mean().item())
    policy.load_state_dict(start)
    return reached


def main():
    torch.manual_seed(0)
    policy = Policy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    for _ in range(20):
        optimizer.zero_grad()
        episode_loss(policy, collect(torch.randn(32, 3), 0.5)).backward()
        optimizer.step()
    print(evaluate(policy, [-1.0, 0.0, 1.0]))


if __name__ == "__main__":
    main()

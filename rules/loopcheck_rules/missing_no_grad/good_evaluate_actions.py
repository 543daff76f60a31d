"""`evaluate_actions` belongs to the update: the log-probabilities of the rollout's actions are what the loss is made of."""

import torch
from torch import nn
from torch.distributions import Normal


class PointMass:
    """Sixteen points are to be pushed to the origin."""

    def reset(self):
        self.position = 2 * torch.rand(16, 2) - 1
        return self.position

    def step(self, push):
        self.position = self.position + 0.2 * push.clamp(-1, 1)
        return self.position, -self.position.norm(dim=1)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(2, 32), nn.Tanh())
        self.mean = nn.Linear(32, 2)
        self.value = nn.Linear(32, 1)
        self.log_std = nn.Parameter(torch.zeros(2))

    def distribution(self, observations):
        h = self.trunk(observations)
        return Normal(self.mean(h), self.log_std.exp()), self.value(h).squeeze(-1)

    def act(self, observation, deterministic=False):
        pi, value = self.distribution(observation)
        action = pi.mean if deterministic else pi.sample()
        return action, pi.log_prob(action).sum(-1), value

    def evaluate_actions(self, observations, actions):
        pi, values = self.distribution(observations)
        return values, pi.log_prob(actions).sum(-1), pi.entropy().sum(-1).mean()


def collect(env, policy, steps=8):
    observation, batch = env.reset(), []
    with torch.no_grad():
        for _ in range(steps):
            action, log_prob, value = policy.act(observation)
            following, reward = env.step(action)
            batch.append((observation, action, log_prob, reward - value))
            observation = following
    return [torch.cat(part) for part in zip(*batch)]


def update(policy, optimizer, rollout, epochs=2):
    observations, actions, old_log_probs, advantages = rollout
    for _ in range(epochs):
        values, log_probs, entropy = policy.evaluate_actions(observations, actions)
        ratio = (log_probs - old_log_probs).exp()
        policy_loss = -torch.min(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages).mean()
        value_loss = (values - (values.detach() + advantages)).square().mean()
        optimizer.zero_grad()
        (policy_loss + 0.5 * value_loss - 0.01 * entropy).backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        optimizer.step()


@torch.no_grad()
def evaluate_policy(env, policy, steps=8):
    observation = env.reset()
    for _ in range(steps):
        action, _, _ = policy.act(observation, deterministic=True)
        observation, reward = env.step(action)
    return reward.mean().item()


def main():
    torch.manual_seed(0)
    env, policy = PointMass(), ActorCritic()
    optimizer = torch.optim.Adam(policy.parameters(), lr=3e-3)
    for iteration in range(4):
        update(policy, optimizer, collect(env, policy))
        print(f"iteration {iteration}: {evaluate_policy(env, policy):.3f}")


if __name__ == "__main__":
    main()

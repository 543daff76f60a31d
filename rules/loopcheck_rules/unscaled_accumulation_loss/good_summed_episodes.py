"""Policy gradients: the objective is the sum over the episodes of a round, and is meant as a sum."""

import torch
from torch import nn
from torch.distributions import Categorical


class Corridor:
    """Walk right to reach the end; every step costs a little."""

    def reset(self):
        self.position, self.time = 0, 0
        return self.observe()

    def observe(self):
        return torch.tensor([self.position / 5.0, self.time / 12.0])

    def step(self, action):
        self.position = max(0, self.position + (1 if action == 1 else -1))
        self.time += 1
        done = self.position == 5 or self.time == 12
        return self.observe(), 1.0 if self.position == 5 else -0.05, done


def play(env, policy):
    log_probs, rewards, done = [], [], False
    state = env.reset()
    while not done:
        distribution = Categorical(logits=policy(state))
        action = distribution.sample()
        log_probs.append(distribution.log_prob(action))
        state, reward, done = env.step(action.item())
        rewards.append(reward)
    return torch.stack(log_probs), sum(rewards)


def main(rounds=3, episodes=4):
    torch.manual_seed(0)
    env = Corridor()
    policy = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    for r in range(rounds):
        optimizer.zero_grad()
        returns = []
        for _ in range(episodes):
            log_probs, total = play(env, policy)
            (-log_probs.sum() * total).backward()
            returns.append(total)
        optimizer.step()
        print(f"round {r}: mean return {sum(returns) / episodes:.2f}")


if __name__ == "__main__":
    main()

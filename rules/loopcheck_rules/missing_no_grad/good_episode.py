"""What a network says of the last state of an episode is what it learns from once the episode is over."""

import torch
from torch import nn
from torch.distributions import Categorical


class Corridor:
    """The goal is four steps to the right."""

    def reset(self):
        self.position = 0
        return self.observed()

    def observed(self):
        return nn.functional.one_hot(torch.tensor(self.position), 5).float()

    def step(self, right):
        self.position = max(0, min(4, self.position + (1 if right else -1)))
        return self.observed(), -1.0, self.position == 4


def evaluate_agents(env, agents, optimizers, episodes=12):
    lengths = {}
    for name, agent in agents.items():
        optimizer = optimizers[name]
        for episode in range(episodes):
            total = 0.0
            logits = agent(env.reset())
            action = Categorical(logits=logits).sample()
            for _ in range(30):
                observation, reward, done = env.step(int(action))
                total += reward
                if done:
                    break
                logits = agent(observation)
                action = Categorical(logits=logits).sample()
            if episode % 3 == 0:
                loss = -torch.log_softmax(logits, dim=0)[action] * total
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            lengths[name] = -total
    return lengths


def main():
    torch.manual_seed(0)
    agents = {"small": nn.Linear(5, 2), "deep": nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 2))}
    optimizers = {name: torch.optim.Adam(agent.parameters(), lr=0.01) for name, agent in agents.items()}
    print(evaluate_agents(Corridor(), agents, optimizers))


if __name__ == "__main__":
    main()

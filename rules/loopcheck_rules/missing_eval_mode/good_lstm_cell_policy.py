"""A recurrent policy of linear layers and an LSTM cell is the same in both modes; test episodes switch nothing."""

import torch
from torch import nn
from torch.distributions import Categorical


class Recall:
    """A bit is shown once and asked for after a few empty steps."""

    def __init__(self, delay=3):
        self.delay = delay

    def reset(self):
        self.bit, self.time = int(torch.randint(2, ())), 0
        return torch.tensor([[2.0 * self.bit - 1.0, 0.0]])

    def step(self, action):
        self.time += 1
        if self.time < self.delay:
            return torch.zeros(1, 2), 0.0, False
        return torch.tensor([[0.0, 1.0]]), float(action == self.bit), self.time > self.delay


class Policy(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.encode = nn.Linear(2, hidden)
        self.cell = nn.LSTMCell(hidden, hidden)
        self.actor = nn.Linear(hidden, 2)
        self.hidden = hidden

    def initial(self):
        return torch.zeros(1, self.hidden), torch.zeros(1, self.hidden)

    def forward(self, observation, state):
        state = self.cell(torch.tanh(self.encode(observation)), state)
        return self.actor(state[0]), state


def play(env, policy, greedy=False):
    observation, state, done = env.reset(), policy.initial(), False
    log_probs, rewards = [], []
    while not done:
        logits, state = policy(observation, state)
        distribution = Categorical(logits=logits)
        action = logits.argmax(1) if greedy else distribution.sample()
        log_probs.append(distribution.log_prob(action))
        observation, reward, done = env.step(action.item())
        rewards.append(reward)
    return torch.cat(log_probs), sum(rewards)


def test(env, policy, episodes=10):
    with torch.no_grad():
        returns = [play(env, policy, greedy=True)[1] for _ in range(episodes)]
    return sum(returns) / episodes


def main(updates=6, batch=8):
    torch.manual_seed(0)
    env, policy = Recall(), Policy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    for update in range(updates):
        episodes = [play(env, policy) for _ in range(batch)]
        mean = sum(total for _, total in episodes) / batch
        loss = -sum((total - mean) * log_probs.sum() for log_probs, total in episodes) / batch
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        optimizer.step()
        if update % 3 == 2:
            print(f"update {update}: return {mean:.2f} test {test(env, policy):.2f}")


if __name__ == "__main__":
    main()

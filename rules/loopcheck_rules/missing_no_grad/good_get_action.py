"""A policy chooses actions by one function, for the sessions that it learns from and for those that only measure it."""

import torch
from torch import nn


def get_action(network: nn.Module, state):
    q_values = network(state[None]).detach()[0]
    return int(q_values.argmax())


def generate_session(network, steps):
    state, reward, transitions = torch.randn(4), 0.0, []
    for _ in range(steps):
        action = get_action(network, state)
        gained = float(state[action])
        transitions.append((state, action, gained))
        reward += gained
        state = torch.randn(4)
    return reward, transitions


def evaluate(network, valid_sessions=3):
    total = 0.0
    for _ in range(valid_sessions):
        total += generate_session(network, 10)[0]
    return total / valid_sessions


def main():
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 4))
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
    for epoch in range(3):
        _, transitions = generate_session(network, 16)
        states = torch.stack([state for state, _, _ in transitions])
        actions = torch.tensor([action for _, action, _ in transitions])
        rewards = torch.tensor([reward for _, _, reward in transitions])
        optimizer.zero_grad()
        values = network(states).gather(1, actions[:, None])[:, 0]
        nn.functional.mse_loss(values, rewards).backward()
        optimizer.step()
        print(f"epoch {epoch}: {evaluate(network):.2f}")


if __name__ == "__main__":
    main()

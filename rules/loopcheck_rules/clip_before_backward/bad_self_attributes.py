"""A policy trained by REINFORCE on a bandit; the agent keeps everything on itself."""

import torch
from torch import nn
from torch.distributions import Categorical


class Agent(nn.Module):
    def __init__(self, arms, lr):
        super().__init__()
        self.policy = nn.Sequential(nn.Linear(arms, 16), nn.Tanh(), nn.Linear(16, arms))
        self.optimizer = torch.optim.RMSprop(self.policy.parameters(), lr=lr)

    def act(self, context):
        chosen = Categorical(logits=self.policy(context))
        arm = chosen.sample()
        return arm, chosen.log_prob(arm)

    def learn(self, log_probs, rewards):
        advantage = rewards - rewards.mean()
        self.policy_loss = -(log_probs * advantage).mean()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 0.1)  # bug
        self.policy_loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()


def pull(arm, payout):
    return payout[arm] + 0.1 * torch.randn(arm.shape, device=payout.device)


def main(rounds=6, arms=4):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    payout = torch.tensor([0.1, 0.9, 0.4, 0.2], device=device)
    agent = Agent(arms, lr=5e-3).to(device)
    for _ in range(rounds):
        context = torch.eye(arms, device=device).repeat(8, 1)
        arm, log_prob = agent.act(context)
        agent.learn(log_prob, pull(arm, payout))
    print(f"policy loss {agent.policy_loss.item():.4f}")


if __name__ == "__main__":
    main()

"""A helper of another package goes backward: what its caller does around that is right, and nothing is told."""

from __future__ import annotations

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

ACTOR_CRITIC = """
import torch
from torch import nn
from lab import {helper}

actor, critic = nn.Linear(4, 2), nn.Linear(6, 1)
actor_optimizer = torch.optim.Adam(actor.parameters(), lr=1e-3)
critic_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
for states, actions, wanted in loader:
    actor_loss = -critic(torch.cat([states, actor(states)], 1)).mean()
    actor_optimizer.zero_grad()
    actor_loss.backward()
    actor_optimizer.step()

    critic_loss = nn.functional.mse_loss(critic(torch.cat([states, actions], 1)), wanted)
    critic_optimizer.zero_grad()
    {helper}(critic_loss)
    critic_optimizer.step()
"""
ONE_CYCLE = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from lab import {helper}

def train(kind, epochs):
    train_loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=epochs * len(train_loader))
    for epoch in range(epochs):
        for x, y in train_loader:
            optimizer.zero_grad()
            {helper}(nn.functional.mse_loss(model(x), y))
            optimizer.step()
            scheduler.step()

train("onecycle", 3)
"""


def test_what_is_told_of_a_loss_to_be_logged_goes_no_backward() -> None:
    logged = ACTOR_CRITIC.replace("    critic_optimizer.zero_grad()\n", "")
    report = check_source(dedent(logged).format(helper="log_train").encode(), "train.py", packs.rules())
    assert report.findings


@pytest.mark.parametrize("helper", ["backward", "run_backward", "backpropagate"])
@pytest.mark.parametrize("program", [ACTOR_CRITIC, ONE_CYCLE])
def test_nothing_is_told(program: str, helper: str) -> None:
    report = check_source(dedent(program).format(helper=helper).encode(), "train.py", packs.rules())
    assert [finding.message for finding in report.findings if finding.rule.group == "bug"] == []

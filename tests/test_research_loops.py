"""Programs that train by more than one loss and one optimizer: what is wrong in them is told, and what looks like it is not.

Each is short and whole. `# bug: rule` ends a line that is told; nothing else is.
"""

from __future__ import annotations

import re

import pytest

from loopcheck import packs
from loopcheck.check import check_source
from loopcheck.rule import Confidence

HEAD = """
import torch
from torch import nn
import torch.nn.functional as F
from data import *

net = nn.Sequential(nn.Linear(3, 4), nn.Dropout(), nn.Linear(4, 2))
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
"""

SEVERAL = {
    "networks in a list": """
critic = nn.Linear(2, 1)
nets = [net, critic]
both = torch.optim.Adam([p for one in nets for p in one.parameters()])
for x, y in loader:
    loss = F.mse_loss(critic(net(x)), y)
    loss.backward()  # bug: missing-zero-grad
    both.step()
""",
    "the last of a list alone": """
critic = nn.Linear(3, 1)
nets = [net, critic]
both = torch.optim.Adam([p for one in nets for p in one.parameters()])
for x, y in loader:
    F.mse_loss(critic(x), y).backward()  # bug: missing-zero-grad
    both.step()
""",
    "networks in a list, cleared one by one": """
critic = nn.Linear(2, 1)
nets = [net, critic]
both = torch.optim.Adam([p for one in nets for p in one.parameters()])
for x, y in loader:
    for one in nets:
        one.zero_grad()
    F.mse_loss(critic(net(x)), y).backward()
    both.step()
""",
    "the parameters of groups, clipped": """
for x, y in loader:
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
    nn.utils.clip_grad_norm_([p for group in opt.param_groups for p in group["params"]], 1.0)  # bug: clip-after-step
""",
    "a network and a scale": """
scale = nn.Parameter(torch.tensor(0.0))
both = torch.optim.Adam(list(net.parameters()) + [scale])
for x, y in loader:
    loss = scale.exp() * F.mse_loss(net(x), y) - scale
    loss.backward()  # bug: missing-zero-grad
    both.step()
""",
    "a network and a scale, each cleared": """
scale = torch.zeros(1, requires_grad=True)
both = torch.optim.Adam([scale] + list(net.parameters()))
for x, y in loader:
    (scale * net(x)).mean().backward()
    both.step()
    net.zero_grad()
    scale.grad.zero_()
""",
}

BY_THEMSELVES = {
    "the loss of a temperature reaches no network": """
log_alpha = torch.zeros(1, requires_grad=True)
alpha_opt = torch.optim.Adam([log_alpha])
for x, y in loader:
    out = net(x)
    F.mse_loss(out, y).backward()  # bug: missing-zero-grad
    opt.step()
    alpha_loss = -(log_alpha * (out - 3.0).detach()).mean()
    alpha_opt.zero_grad()
    alpha_loss.backward()
    alpha_opt.step()
""",
    "nor does one of what is computed of it": """
log_alpha = torch.tensor(0.0, requires_grad=True)
alpha_opt = torch.optim.Adam([log_alpha])
for x, y in loader:
    out = net(x)
    opt.zero_grad()
    F.mse_loss(out, y).backward()
    opt.step()
    (log_alpha.exp() * out.detach()).mean().backward()  # bug: missing-zero-grad
    alpha_opt.step()
""",
    "two that are made alike are two": """
a = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
a_opt, b_opt = torch.optim.Adam([a]), torch.optim.Adam([b])
for x, y in loader:
    out = net(x).detach()
    a_opt.zero_grad()
    (a * out).mean().backward()
    a_opt.step()
    b_opt.zero_grad()
    (b * out).mean().backward()
    b_opt.step()
""",
    "a temperature that the policy's loss reaches, too, and its own clears": """
log_alpha = torch.tensor(0.0, requires_grad=True)
alpha_opt = torch.optim.Adam([log_alpha])
for x, y in loader:
    out = net(x)
    opt.zero_grad()
    (log_alpha.exp() * out).mean().backward()
    opt.step()
    alpha_opt.zero_grad()
    (log_alpha * out.detach()).mean().backward()
    alpha_opt.step()
""",
    "one that is cleared by hand": """
scale = torch.ones(1, requires_grad=True)
scale_opt = torch.optim.SGD([scale], lr=0.1)
for x, y in loader:
    (scale * net(x).detach()).mean().backward()
    scale_opt.step()
    scale.grad.zero_()
""",
    "a perturbation's gradient is no weight's": """
delta = torch.zeros(16, 3).cuda()
delta.requires_grad = True
for x, y in loader:
    F.mse_loss(net(x + delta), y).backward()  # bug: missing-zero-grad
    delta.data = (delta + 0.1 * delta.grad.sign()).clamp(-1, 1)
    delta.grad.zero_()
    opt.step()
""",
    "nor that of one for each batch": """
for x, y in loader:
    delta = torch.zeros_like(x, requires_grad=True)
    F.mse_loss(net(x + delta), y).backward()  # bug: missing-zero-grad
    delta.grad.zero_()
    opt.step()
""",
}

EVALUATED = {
    "a number of batches": """
for step in range(1000):
    opt.zero_grad()
    F.mse_loss(net(train_x), train_y).backward()
    opt.step()
    if (step + 1) % 100 == 0:
        with torch.no_grad():
            for _ in range(20):
                x, y = get_batch("val")
                print(F.mse_loss(net(x), y).item())  # bug: missing-eval-mode
""",
    "a number of batches, in eval mode": """
for step in range(1000):
    opt.zero_grad()
    F.mse_loss(net(train_x), train_y).backward()
    opt.step()
    if (step + 1) % 100 == 0:
        net.eval()
        with torch.no_grad():
            for _ in range(20):
                x, y = val_loader.next_batch()
                print(F.mse_loss(net(x), y).item())
        net.train()
""",
    "a number of batches of who knows what": """
for step in range(1000):
    opt.zero_grad()
    F.mse_loss(net(train_x), train_y).backward()
    opt.step()
    with torch.no_grad():
        for _ in range(20):
            x, y = get_batch()
            memory.append(net(x))
""",
    "a number of tasks, each adapted to": """
def fast_adapt(learner, evaluation_data):
    with torch.no_grad():
        return learner(evaluation_data).mean()

for task in range(32):
    opt.zero_grad()
    F.mse_loss(net(train_x), train_y).backward()
    opt.step()
for task in range(32):
    print(fast_adapt(net, task_x))
""",
    "all at once": """
for epoch in range(100):
    net.train()
    opt.zero_grad()
    F.mse_loss(net(X), y).backward()
    opt.step()
    with torch.no_grad():
        print(F.mse_loss(net(X_test), y_test).item())  # bug: missing-eval-mode
""",
    "all at once, in eval mode": """
for epoch in range(100):
    net.train()
    opt.zero_grad()
    F.mse_loss(net(X), y).backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        print(F.mse_loss(net(X_test), y_test).item())
""",
    "targets that training bootstraps from": """
for x, y in loader:
    with torch.no_grad():
        target = net(y)
    opt.zero_grad()
    F.mse_loss(net(x), target).backward()
    opt.step()
""",
    "the same, again and again": """
for x, y in loader:
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
with torch.no_grad():
    drawn = torch.stack([net(x_test) for _ in range(50)])
print(drawn.std(0))
""",
}

SCALED = {
    "unscaled by name, and never scaled": """
scaler = torch.amp.GradScaler("cuda")
for x, y in loader:
    opt.zero_grad()
    with torch.autocast("cuda"):
        loss = F.mse_loss(net(x), y)
    loss.backward()  # bug: unscaled-backward
    scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
""",
    "a penalty that is added when the scale is out": """
scaler = torch.amp.GradScaler("cuda")
for x, y in loader:
    opt.zero_grad()
    with torch.autocast("cuda"):
        loss = F.mse_loss(net(x), y)
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    sum(p.pow(2).sum() for p in net.parameters()).backward()
    scaler.step(opt)
    scaler.update()
""",
    "scaled by hand": """
scaler = torch.amp.GradScaler("cuda")
for x, y in loader:
    opt.zero_grad()
    with torch.autocast("cuda"):
        loss = F.mse_loss(net(x), y)
    (loss * scaler.get_scale()).backward()
    scaler.unscale_(opt)
    scaler.step(opt)
    scaler.update()
""",
    "a factor inside of a curve is no share": """
for i, (x, y) in enumerate(loader):
    margin = beta * (net(x) - net(y))
    (-F.logsigmoid(margin)).mean().backward()  # bug: unscaled-accumulation-loss
    if (i + 1) % 4 == 0:
        opt.step()
        opt.zero_grad()
""",
    "a factor outside may be": """
for i, (x, y) in enumerate(loader):
    margin = net(x) - net(y)
    (share * F.softplus(-margin)).mean().backward()
    if (i + 1) % 4 == 0:
        opt.step()
        opt.zero_grad()
""",
}


PROGRAMS = SEVERAL | BY_THEMSELVES | EVALUATED | SCALED


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_what_is_marked_is_told(program: str) -> None:
    rules = [rule for rule in packs.rules() if rule.group == "bug"]
    report = check_source((HEAD + program).encode(), "train.py", rules)
    told = {(each.primary.row, each.rule.name) for each in report.findings if each.confidence > Confidence.LOW}
    lines = enumerate((HEAD + program).splitlines(), 1)
    assert told == {(row, rule) for row, line in lines for rule in re.findall(r"# bug: (\S+)", line)}

"""What is taken down of a run: the events, their facts, their places; and that the run is none the worse for it."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from textwrap import dedent
from typing import TypeAlias

import pytest

from loopcheck.loop import Event
from loopcheck.record import RecordError, Run, Site, patch, record
from loopcheck.record.patch import wrap_family
from loopcheck.record.site import Sites

Play: TypeAlias = Callable[[str], Run]

MODEL = "model = nn.Linear(3, 1); x, y = torch.randn(8, 3), torch.randn(8, 1); loss_of = nn.MSELoss()\n"
SGD = MODEL + "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
LOADER = SGD + "loader = data.DataLoader(data.TensorDataset(x, y), batch_size=2)\n"


def verbs(run: Run) -> str:
    return " ".join(event.verb for event in run.trace if event.verb != "build")


def of(run: Run, verb: str) -> list[Event]:
    return [event for event in run.trace if event.verb == verb]


def on(event: Event) -> set[str]:
    return {role.name for role in event.on}


def facts(run: Run, verb: str, fact: str) -> list[object]:
    return [event.facts.get(fact) for event in of(run, verb)]


def line(event: Event) -> str:
    """The text of the line that an event is at, without its first spaces."""
    assert isinstance(event.at, Site)
    return Path(event.at.file).read_text().splitlines()[event.at.line - 1].strip()


# Verbs


def test_one_ordinary_step(play: Play) -> None:
    run = play(
        SGD
        + """
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
model.train()
optimizer.zero_grad()
loss_of(model(x), y).backward()
nn.utils.clip_grad_norm_(model.parameters(), 1.0)
optimizer.step()
scheduler.step()
model.eval()
"""
    )
    assert verbs(run) == "train zero_grad forward backward clip step schedule evaluate"
    assert [event.at.text for event in run.trace if event.verb in ("clip", "step", "schedule")] == [
        "nn.utils.clip_grad_norm_(model.parameters(), 1.0)",
        "optimizer.step()",
        "scheduler.step()",
    ]
    (scheduler,) = of(run, "schedule")[0].on
    assert [[role.name for role in part.of] for part in (scheduler, *scheduler.of)] == [["optimizer"], ["model"]]


@pytest.mark.parametrize(
    "clears",
    [
        "optimizer.zero_grad()",
        "model.zero_grad()",
        "for p in model.parameters(): p.grad = None",
        "for p in model.parameters(): p.grad.zero_()",
        "for p in model.parameters(): p.grad.data.fill_(0)",
    ],
)
def test_gradients_cleared_in_any_way(play: Play, clears: str) -> None:
    run = play(SGD + f"for i in range(2):\n  loss_of(model(x), y).backward(); optimizer.step()\n  {clears}")
    assert verbs(run).replace("forward ", "").startswith("backward step zero_grad backward step")


def test_a_mode_that_is_set_by_hand(play: Play) -> None:
    run = play(
        """
        body = nn.Linear(3, 3); model = nn.Sequential(body, nn.Dropout()); x = torch.randn(8, 3)
        model(x); model.eval(); model(x); body(x)
        for each in model.modules(): each.training = True
        model(x); body.eval(); body(x); model(x)
        """.replace("        ", "")
    )
    assert verbs(run) == "forward evaluate forward forward train forward evaluate forward forward"


def test_an_average_absorbs_weights_and_has_its_statistics_computed(play: Play) -> None:
    run = play(
        "from torch.optim import swa_utils\n"
        "model = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3)); x = torch.randn(8, 3)\n"
        "average = swa_utils.AveragedModel(model); average.eval(); average(x)\n"
        "average.update_parameters(model); swa_utils.update_bn([x], average); average(x)"
    )
    assert verbs(run) == "average evaluate forward absorb calibrate train evaluate forward"


def test_gradients_never_cleared(play: Play) -> None:
    assert "zero_grad" not in verbs(play(SGD + "for i in range(3): loss_of(model(x), y).backward(); optimizer.step()"))


def test_what_is_imported_by_name_is_seen(play: Play) -> None:
    run = play(
        "from torch.nn.utils import clip_grad_norm_, clip_grad_value_\n"
        + SGD
        + """
from torch.autograd import backward
backward([loss_of(model(x), y)])
clip_grad_value_(model.parameters(), 1.0)
clip_grad_norm_(parameters=model.parameters(), max_norm=float("inf"))
"""
    )
    assert verbs(run) == "forward backward clip clip"
    assert facts(run, "clip", "limits") == [True, False]
    assert all({role.kind for role in event.on} == {"model", "optimizer"} for event in of(run, "clip") + of(run, "backward"))


def test_a_clip_by_its_old_name(play: Play) -> None:
    run = play("""
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.ones(1, 2)).sum().backward()
nn.utils.clip_grad_norm(model.parameters(), 1.0)
optimizer.step()
""")
    assert facts(run, "clip", "managed") == [False]  # `deprecated` runs it, the program asks for it


def test_scaler(play: Play) -> None:
    run = play(
        SGD
        + """
scaler = torch.amp.GradScaler("cpu")
for i in range(2):
    optimizer.zero_grad()
    scaler.scale(loss_of(model(x), y)).backward()
    if i: scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
"""
    )
    assert verbs(run) == "zero_grad forward backward step update zero_grad forward backward unscale step update"
    assert facts(run, "step", "scaled") == [True, True]
    assert facts(run, "backward", "scaled") == [True, True]
    assert [on(event) for event in of(run, "unscale") + of(run, "update")] == [{"optimizer", "scaler"}, {"scaler"}, {"scaler"}]


def test_a_disabled_scaler_does_nothing(play: Play) -> None:
    run = play(
        SGD
        + """
scaler = torch.amp.GradScaler("cpu", enabled=False)
scaler.scale(loss_of(model(x), y)).backward(); scaler.unscale_(optimizer); scaler.step(optimizer); scaler.update()
"""
    )
    assert verbs(run) == "forward backward step"
    assert facts(run, "backward", "scaled") + facts(run, "step", "scaled") == [False, False]


def test_a_closure_steps_when_it_is_done(play: Play) -> None:
    run = play(
        MODEL
        + """
optimizer = torch.optim.LBFGS(model.parameters(), max_iter=2)
def closure():
    optimizer.zero_grad()
    loss = loss_of(model(x), y)
    loss.backward()
    return loss
optimizer.step(closure)
"""
    )
    assert verbs(run).startswith("zero_grad forward backward zero_grad forward backward")
    assert verbs(run).endswith("backward step")
    assert facts(run, "step", "closure") == [True]


@pytest.mark.parametrize(
    "scheduler",
    [
        "S.SequentialLR(optimizer, [S.ConstantLR(optimizer), S.ExponentialLR(optimizer, 0.9)], milestones=[1])",
        "S.ChainedScheduler([S.ConstantLR(optimizer), S.ExponentialLR(optimizer, 0.9)])",
        "S.OneCycleLR(optimizer, 0.1, total_steps=9)",
        "type('Own', (S.StepLR,), {'step': lambda self: S.StepLR.step(self)})(optimizer, 3)",
    ],
)
def test_a_scheduler_steps_once_whatever_it_is_made_of(play: Play, scheduler: str) -> None:
    run = play(SGD + f"import torch.optim.lr_scheduler as S\nscheduler = {scheduler}\noptimizer.step(); scheduler.step()")
    assert verbs(run) == "step schedule"
    (role,) = of(run, "schedule")[0].on
    assert (role.name, role.of) == ("scheduler", of(run, "step")[0].on)


def test_a_method_that_is_named_and_not_called(play: Play) -> None:
    run = play(
        SGD
        + """
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
model.eval
loss = loss_of(model(x), y)
clear = optimizer.zero_grad
clear()
loss.backward
optimizer.step
scheduler.step
str(scheduler.step)
scheduler.optimizer
"""
    )
    assert [line(event) for event in of(run, "mention")] == ["model.eval", "loss.backward", "optimizer.step", "scheduler.step"]
    assert [on(event) for event in of(run, "escape")] == [{"model"}, {"model"}, {"optimizer"}, {"scheduler"}]


def test_a_plateau_scheduler_steps_and_may_be_told_the_epoch(play: Play) -> None:
    run = play(SGD + "s = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)\noptimizer.step(); s.step(1.0); s.step(1.0, 2)")
    assert facts(run, "schedule", "epoch") == [None, True]


AFTER = """
import io

def loaded(net):
    kept = io.BytesIO()
    torch.save(net.state_dict(), kept)
    kept.seek(0)
    net.load_state_dict(torch.load(kept))
    return net

other = loaded(nn.Linear(3, 1))
BEFORE
loss_of(model(x), y).backward()
optimizer.step()
APPLIED
"""


@pytest.mark.parametrize(
    ("before", "applied", "deployed"),
    [
        ("pass", "print(other(x).sum().item())", True),
        ("print(other(x).sum().item())", "pass", None),
        ("pass", "print(loaded(model)(x).sum().item())", None),
        ("other = nn.Linear(3, 1)", "print(other(x).sum().item())", None),
        ("optimizer.add_param_group({'params': [*other.parameters()]})", "print(other(x).sum().item())", None),
    ],
)
def test_what_another_network_puts_out_once_training_is_over(
    play: Play, before: str, applied: str, deployed: bool | None
) -> None:
    run = play(SGD + AFTER.replace("BEFORE", before).replace("APPLIED", applied))
    others = [event.facts.get("deployed") for event in of(run, "forward") if "backward" not in line(event)]
    assert others == [deployed]


DECAY = """
class Decay(torch.optim.lr_scheduler.LRScheduler):
    now = 3

    def left(self):
        return 0.9 ** self.last_epoch

    def get_lr(self):
        RATES

Decay(optimizer).step()
"""


@pytest.mark.parametrize(
    ("rates", "told"),
    [
        ("return [base_lr * 0.9 ** self.now for base_lr in self.base_lrs]", True),
        ("return [base_lr * 0.9 ** self.last_epoch for base_lr in self.base_lrs]", False),
        ("return list(map(lambda rate: rate * 0.9 ** self.last_epoch, self.base_lrs))", False),
        ("return [base_lr * self.left() for base_lr in self.base_lrs]", False),
        ("self.now += 1; return [base_lr * 0.9 ** self.now for base_lr in self.base_lrs]", False),
    ],
)
def test_a_schedule_whose_rates_no_step_changes_is_told_where_it_is(play: Play, rates: str, told: bool) -> None:
    assert facts(play(SGD + DECAY.replace("RATES", rates)), "schedule", "epoch") == [told]


def test_switching_a_whole_or_a_part(play: Play) -> None:
    run = play("model = nn.Sequential(nn.Linear(2, 2), nn.Dropout())\nmodel.eval()\nmodel[0].train()\nmodel(torch.ones(1, 2))")
    assert verbs(run) == "evaluate train forward"
    whole, part = of(run, "evaluate")[0].on[0], of(run, "train")[0].on[0]
    assert part.part_of is whole
    assert of(run, "forward")[0].on == (whole,)


def test_wrappers_are_the_model_that_they_wrap(play: Play) -> None:
    run = play(
        SGD
        + "wrapped = torch.compile(model, backend='eager')\nmodel.train(); loss_of(wrapped(x), y).backward(); optimizer.step()"
    )
    assert verbs(run) == "train forward backward step"
    assert {role for event in run.trace for role in event.on if role.kind == "model"} == {of(run, "train")[0].on[0]}


PREPARED = SGD + (
    "from accelerate import Accelerator\naccelerator = Accelerator(gradient_accumulation_steps=2)\n"
    "model, optimizer = accelerator.prepare(model, optimizer)\nloss = loss_of(model(x), y)\n"
)


def test_what_a_framework_wraps_is_seen_through(play: Play) -> None:
    accelerate = play(PREPARED + "accelerator.backward(loss); optimizer.step(); optimizer.zero_grad()")
    fabric = play(
        "from lightning.fabric import Fabric\nfabric = Fabric(accelerator='cpu', devices=1)\n"
        + SGD
        + "model, optimizer = fabric.setup(model, optimizer)\n"
        "fabric.backward(loss_of(model(x), y)); optimizer.step(); optimizer.zero_grad()"
    )
    for run in (accelerate, fabric):
        assert verbs(run) == "prepare forward backward step zero_grad"
        roles = {(role.kind, role.name) for event in run.trace for role in event.on}
        assert roles == {("model", "model"), ("optimizer", "optimizer")}


@pytest.mark.parametrize(
    ("backward", "managed", "twice"),
    [
        ("accelerator.backward(loss)", True, False),
        ("accelerator.backward(loss / 2)", True, True),
        ("accelerator.backward(loss / 3)", True, False),
        ("(loss / 2 / 2).backward()", False, False),
    ],
)
def test_who_runs_a_backward(play: Play, backward: str, managed: bool, twice: bool) -> None:
    run = play(PREPARED + backward)
    assert facts(run, "backward", "managed") == [managed]
    assert facts(run, "backward", "averaged_twice") == [twice]


def test_a_loss_is_no_model_and_a_gradient_asked_for_no_backward(play: Play) -> None:
    run = play(MODEL + "torch.autograd.grad(loss_of(model(x), y), list(model.parameters()))")
    assert verbs(run) == "forward"


def test_two_networks_are_told_apart(play: Play) -> None:
    run = play(
        """
g, d = nn.Linear(2, 2), nn.Linear(2, 1)
opt_g, opt_d = torch.optim.SGD(g.parameters(), lr=0.1), torch.optim.SGD(d.parameters(), lr=0.1)
fake = g(torch.ones(1, 2))
d(fake.detach()).sum().backward()
opt_d.step()
d(fake).sum().backward()
nn.utils.clip_grad_norm_(g.parameters(), 1.0)
opt_g.step()
"""
    )
    assert [on(event) for event in of(run, "backward")] == [{"opt_d", "d"}, {"opt_g", "g", "opt_d", "d"}]
    assert [on(event) for event in of(run, "clip") + of(run, "step")] == [{"opt_g", "g"}, {"opt_d"}, {"opt_g"}]


# Facts


@pytest.mark.parametrize(
    ("loss", "averaged"),
    [
        ("loss", False),
        ("loss / 4", True),
        ("loss * 0.25", True),
        ("loss * 2", False),
        ("0.5 * loss + 0.5 * model(x).abs().mean()", True),
        ("loss + model(x).abs().mean()", False),
        ("loss / 4 + model(x).abs().mean()", None),
        ("-(loss / 4).squeeze()", True),
        ("scaler.scale(loss)", False),
        ("scaler.scale(loss / 4)", True),
        ("scaler.scale(loss) / 4", True),
    ],
)
def test_averaged(play: Play, loss: str, averaged: bool | None) -> None:
    run = play(SGD + f"scaler = torch.amp.GradScaler('cpu')\nloss = loss_of(model(x), y)\n({loss}).backward()")
    assert facts(run, "backward", "averaged") == [averaged]
    assert facts(run, "backward", "scaled") == ["scaler" in loss]


def test_gradients_edited_by_hand_may_be_averaged(play: Play) -> None:
    run = play(
        SGD + "for i in range(2): loss_of(model(x), y).backward()\nfor p in model.parameters(): p.grad /= 2\noptimizer.step()"
    )
    assert facts(run, "backward", "averaged") == [None, None]


def test_gradients_edited_inside_the_step_may_be_averaged(play: Play) -> None:
    run = play("""
        class Scaled(torch.optim.SGD):
            def step(self, closure=None):
                for group in self.param_groups:
                    for p in group["params"]:
                        p.grad.mul_(0.5)
                return super().step(closure)
        model = nn.Linear(2, 1)
        optimizer = Scaled(model.parameters(), lr=0.1)
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()
        """)
    assert facts(run, "backward", "averaged") == [None]


def test_an_optimizer_that_limits_gradients_in_its_step_limits_them_first(play: Play) -> None:
    run = play("""
        class Limited(torch.optim.SGD):
            def step(self, closure=None):
                for group in self.param_groups:
                    for p in group["params"]:
                        nn.utils.clip_grad_norm_(p, 1.0)
                return super().step(closure)
        model = nn.Linear(2, 1)
        optimizer = Limited(model.parameters(), lr=0.1)
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        """)
    assert verbs(run) == "forward backward clip clip step clip"


def test_each_parameter_by_a_limit_of_its_own(play: Play) -> None:
    run = play(
        SGD
        + """
loss_of(model(x), y).backward()
for p in model.parameters():
    nn.utils.clip_grad_norm_(p, 0.01 * p.norm())
for p in model.parameters():
    nn.utils.clip_grad_norm_(p, 0.01)
"""
    )
    assert facts(run, "clip", "each") == [None, None, True, True]


def test_windowed(play: Play) -> None:
    run = play(
        LOADER
        + """
for epoch in range(2):
    for i, (a, b) in enumerate(loader):
        loss_of(model(a), b).backward()
        if i % 2: optimizer.step(); optimizer.zero_grad()
    for a, b in loader:
        for part in a: model(part).sum().backward()
        optimizer.zero_grad()
        loss_of(model(a), b).backward()
        optimizer.step()
"""
    )
    windowed = {event.at.place: event.facts.get("windowed") for event in of(run, "backward")}
    assert list(windowed.values()) == [True, None, False]


def test_clearing_every_micro_batch(play: Play) -> None:
    run = play(
        LOADER
        + """
for epoch in range(2):
    for i, (a, b) in enumerate(loader):
        optimizer.zero_grad()
        loss_of(model(a), b).backward()
        if i % 2: optimizer.step()
"""
    )
    assert set(facts(run, "zero_grad", "micro")) == {True}


VALIDATING = """
held_out = data.DataLoader(data.TensorDataset(x, y), batch_size=4)
teacher = nn.Linear(3, 1)
def run(loader):
    for a, b in loader: model(a)  # helper
for epoch in range(2):
    for a, b in loader:
        optimizer.zero_grad(); loss_of(model(a), b).backward(); optimizer.step()  # train
        with torch.no_grad(): model(a)  # monitor
    for a, b in held_out:
        seen = model(a)  # validate
        seen = teacher(a)  # teacher
        model(a)  # unused
    run(loader)
    model(x)  # somewhere
    test_loss = loss_of(model(x), y)  # by name
"""


def test_validating(play: Play) -> None:
    told = {line(event).split("# ")[1]: event.facts.get("validating") for event in of(play(LOADER + VALIDATING), "forward")}
    assert told == {
        "train": False,
        "monitor": None,
        "validate": True,
        "teacher": None,
        "unused": None,
        "helper": None,
        "somewhere": None,
        "by name": None,
    }


def test_what_is_called_an_evaluation_is_one(play: Play) -> None:
    run = play(
        LOADER
        + """
def evaluate(inputs): return model(inputs)
def mc_dropout(inputs): return model(inputs)
optimizer.zero_grad(); loss_of(model(x), y).backward(); optimizer.step()
evaluate(x); mc_dropout(x)
"""
    )
    assert facts(run, "forward", "validating") == [False, True, None]


def test_an_evaluation_that_trains_adapts_to_what_it_tests(play: Play) -> None:
    run = play("""
        model = nn.Linear(2, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        def test(steps):
            for _ in range(steps):
                model(torch.ones(1, 2)).sum().backward()
                optimizer.step()
            with torch.no_grad():
                return model(torch.ones(1, 2))
        test(1)
        test(0)
        """)
    assert facts(run, "forward", "validating") == [False, None, True]


def test_grad_and_moded(play: Play) -> None:
    run = play(
        """
plain, moded = nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
class Own(nn.Module):
    def __init__(self): super().__init__(); self.w = nn.Parameter(torch.ones(2))
    def forward(self, x): return {"out": (nn.functional.dropout(x * self.w, training=self.training),)}
own, x = Own(), torch.ones(2, 2)
plain(x)
moded(x)
own(x)
with torch.no_grad(): plain(x)
with torch.inference_mode(): moded(x)
plain.requires_grad_(False)(x)
"""
    )
    assert facts(run, "forward", "moded") == [False, True, True, False, True, False]
    assert facts(run, "forward", "grad") == [True, True, True, False, False, False]


@pytest.mark.parametrize(
    ("optimizer", "told"),
    [
        ("AdamW(model.parameters())", (True, True, "default", "adamw")),
        ("AdamW(model.parameters(), weight_decay=0.1)", (True, True, "explicit", "adamw")),
        ("SGD(model.parameters(), lr=0.1)", (True, False, "default", "sgd")),
        ("Adam(model.parameters(), weight_decay=0.0)", (True, False, "explicit", "adam")),
        ("AdamW([model.weight])", (False, True, "default", "adamw")),
        ("AdamW([{'params': [model.weight]}, {'params': [model.bias], 'weight_decay': 0}])", (False, True, "explicit", "adamw")),
        ("AdamW([{'params': [model.weight]}, {'params': [model.bias], 'lr': 1.0}])", (True, True, "default", "adamw")),
    ],
)
def test_how_an_optimizer_is_built(play: Play, optimizer: str, told: tuple[object, ...]) -> None:
    (event,) = [event for event in of(play(MODEL + f"o = torch.optim.{optimizer}"), "build") if event.on[0].kind == "optimizer"]
    assert tuple(event.facts.get(name) for name in ("one_group", "decays", "decay", "family")) == told


def test_an_optimizer_of_one_part_is_not_said_to_treat_all_alike(play: Play) -> None:
    run = play("""
        model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
        head = torch.optim.AdamW(model[1].parameters())
        all_of_it = torch.optim.AdamW(model.parameters())
        """)
    assert [e.facts.get("one_group") for e in of(run, "build") if e.on[0].kind == "optimizer"] == [None, True]


def test_how_a_model_is_when_built(play: Play) -> None:
    run = play(SGD + "other = nn.Linear(3, 1).eval()\nother(x)")
    built = {event.on[0].name: event.facts["training"] for event in of(run, "build") if event.on[0].kind == "model"}
    assert built == {"model": True}
    assert verbs(run) == "evaluate forward"


def test_loaders(play: Play) -> None:
    run = play(
        LOADER
        + """
drawn = data.DataLoader(data.TensorDataset(x, y), sampler=data.RandomSampler(range(8)))
for a, b in loader: loss_of(model(a), b).backward()
optimizer.step()
for a, b in drawn: loss_of(model(a), b).backward()
try: data.DataLoader(range(8), sampler=data.SequentialSampler(range(8)), shuffle=True)
except ValueError: pass
"""
    )
    loaders = [event for event in of(run, "build") if event.on[0].kind == "loader"]
    assert [(event.facts["sampler"], event.facts["shuffle"]) for event in loaders] == [
        (False, False),
        (True, False),
        (True, True),
    ]
    assert facts(run, "iterate", "training") == [True, False]
    assert facts(run, "iterate", "shuffled") == [False, True]
    assert facts(run, "iterate", "distributed") == [False, False]
    assert [event.at.text for event in of(run, "iterate")] == [
        "for a, b in loader: loss_of(model(a), b).backward()",
        "for a, b in drawn: loss_of(model(a), b).backward()",
    ]


def test_a_pass_that_ends_because_there_is_no_more(play: Play) -> None:
    run = play(
        LOADER
        + """
for a, b in loader: pass
for a, b in loader: break
batches = iter(loader)
while next(batches, None) is not None: pass
next(batches, None)
for a, number in zip(loader, range(2)): pass
for number, a in zip(range(2), loader): pass
"""
    )
    assert verbs(run) == "iterate exhaust iterate iterate exhaust iterate iterate"
    assert [line(event) for event in of(run, "exhaust")] == [
        "for a, b in loader: pass",
        "while next(batches, None) is not None: pass",
    ]
    assert {on(event) == {"loader"} for event in of(run, "exhaust")} == {True}


@pytest.mark.parametrize(
    ("loss", "cut"),
    [
        ("loss", False),
        ("loss.detach().requires_grad_()", True),
        ("torch.tensor(loss.item(), requires_grad=True)", True),
        ("loss.detach() * 2", True),
        ("other(x).sum() + loss.item()", False),
        ("torch.tensor(loss.item(), requires_grad=True) * 2", None),
        ("nn.Parameter(torch.ones(()))", None),
    ],
)
def test_a_loss_cut_from_the_graph(play: Play, loss: str, cut: bool | None) -> None:
    """Where something else is differentiated, nobody can tell a loss made again from a tensor of the user's own."""
    run = play(
        SGD
        + f"""
other = nn.Linear(3, 1)
loss = loss_of(model(x), y); loss.backward()
for i in range(2):
    loss = loss_of(model(x), y)
    try: ({loss}).backward()
    except RuntimeError: pass
"""
    )
    assert facts(run, "backward", "cut") == [False, cut, cut]
    if cut:
        kinds = [{role.kind for role in event.on} for event in of(run, "backward")]
        assert kinds == [{"model", "optimizer"}, {"model"}, {"model"}]


def test_a_weight_that_is_its_own_loss(play: Play) -> None:
    run = play("w = torch.ones((), requires_grad=True); optimizer = torch.optim.SGD([w], lr=0.1); w.backward()")
    assert facts(run, "backward", "cut") == [False]


def test_a_checkpoint_that_is_written_over_the_one_before(play: Play) -> None:
    run = play(
        SGD
        + """
import os, tempfile
state = lambda: {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
with tempfile.TemporaryDirectory() as folder:
    for epoch in range(2):
        torch.save(state(), f"{folder}/last.pt")
        torch.save(state(), f"{folder}/{epoch}.pt")
        torch.save(state(), f"{folder}/tmp.pt")
        os.replace(f"{folder}/tmp.pt", f"{folder}/best.pt")
"""
    )
    assert facts(run, "save", "lasting") == [True, False, None] * 2
    assert [on(event) for event in of(run, "rename")] == [{"model", "optimizer"}] * 2


def test_samples_in_the_order_of_their_data_set(play: Play) -> None:
    run = play("""
class Rows(data.Dataset):
    def __len__(self):
        return 4
    def __getitem__(self, index):
        return float(index)

class RandomRows(Rows):
    pass

for given, options in ((Rows, {}), (Rows, {"shuffle": False}), (Rows, {"sampler": range(4)}), (RandomRows, {})):
    for batch in data.DataLoader(given(), batch_size=2, **options):
        pass
""")
    assert facts(run, "iterate", "stored") == [True, None, None, None]


def test_a_schedule_by_rates(play: Play) -> None:
    run = play(
        SGD
        + """
lr = 0.1
for function in (lambda n: lr * 0.9**n, lambda n: 0.1 * 0.9**n):
    torch.optim.lr_scheduler.LambdaLR(optimizer, function)
"""
    )
    assert facts(run, "build", "twice")[-2:] == [True, False]


def test_a_schedule_that_counts_on(play: Play) -> None:
    run = play(
        SGD
        + """
start_epoch = warmup = 3
for function in (lambda epoch: 0.9 ** (epoch + start_epoch), lambda epoch: 0.9 ** (epoch + warmup)):
    torch.optim.lr_scheduler.LambdaLR(optimizer, function)
"""
    )
    assert facts(run, "build", "resumed")[-2:] == [True, False]


def test_a_stream_that_each_of_several_workers_hands_out(play: Play) -> None:
    run = play("""
class Numbers(data.IterableDataset):
    def __iter__(self):
        return iter(range(4))

class Mine(data.IterableDataset):
    def __iter__(self):
        return iter(range(data.get_worker_info().id, 4, 2))

for number in (0, 1, 2):
    data.DataLoader(Numbers(), num_workers=number)
data.DataLoader(Mine(), num_workers=2)
data.DataLoader(Numbers(), num_workers=2, worker_init_fn=print)
""")
    assert [on(event) for event in of(run, "duplicate")] == [{"Numbers"}]


@pytest.mark.parametrize(("epoch", "varying"), [("epoch", True), ("0", False)])
def test_set_epoch(play: Play, epoch: str, varying: bool) -> None:
    run = play(
        f"""
sampler = data.DistributedSampler(range(8), num_replicas=2, rank=0)
loader = data.DataLoader(range(8), sampler=sampler)
for epoch in range(2):
    sampler.set_epoch({epoch})
    for batch in loader: pass
"""
    )
    assert verbs(run) == "set_epoch iterate exhaust set_epoch iterate exhaust"
    assert facts(run, "set_epoch", "varying") == [varying, varying]
    assert facts(run, "iterate", "distributed") + facts(run, "iterate", "shuffled") == [True] * 4
    assert of(run, "iterate")[0].on[0].of == of(run, "set_epoch")[0].on


# Places


def test_a_helper_called_from_two_lines_is_two_sites_and_one_place(play: Play) -> None:
    run = play(
        SGD
        + """
def update():
    optimizer.step()
for i in range(2):
    update()
    update()
"""
    )
    first, second, third, _ = [event.at for event in of(run, "step")]
    assert first != second
    assert first == third
    assert first.place == second.place


def test_an_object_made_in_a_subclass_is_built_where_it_is_called_for(play: Play) -> None:
    run = play(
        MODEL
        + """
class Own(torch.optim.SGD):
    def __init__(self, params): super().__init__(params, lr=1.0, weight_decay=0.1)
optimizer = Own(model.parameters())
"""
    )
    (event,) = [event for event in of(run, "build") if event.on[0].kind == "optimizer"]
    assert line(event) == "optimizer = Own(model.parameters())"
    assert (event.facts["decay"], event.facts["family"]) == ("explicit", "own")


# The run itself

EVERYTHING = """
import warnings, random
net = nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8), nn.Dropout(0.2), nn.Linear(8, 1))
encoder = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
x, y = torch.randn(24, 3), torch.randn(24, 1)
loader = data.DataLoader(data.TensorDataset(x, y), batch_size=6, shuffle=True)
params = net.parameters()
optimizer = torch.optim.AdamW(params, lr=0.01)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.02, total_steps=20)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**10)
for epoch in range(2):
    net.train()
    for a, b in loader:
        scheduler.step()
        optimizer.zero_grad()
        scaler.scale(nn.functional.mse_loss(net(a), b)).backward()
        scaler.unscale_(optimizer)
        print("used up", nn.utils.clip_grad_norm_(params, 1.0))
        print("whole", nn.utils.clip_grad_norm_((p for p in net.parameters()), 1.0))
        scaler.step(optimizer)
        scaler.update()
    net.eval(); encoder.eval()
    with torch.no_grad(): print(epoch, net(x).sum().item(), encoder(torch.randn(2, 3, 8)).sum().item())
lbfgs = torch.optim.LBFGS(net.parameters(), max_iter=3)
def closure():
    for p in net.parameters(): p.grad = None
    loss = nn.functional.mse_loss(net(x), y); loss.backward(); return loss
print(lbfgs.step(closure).item())
print([p.sum().item() for p in net.parameters()], scheduler.get_last_lr(), random.random())
print(torch.get_rng_state().sum().item(), sorted(globals()), __name__, __file__)
"""


Alone: TypeAlias = Callable[[str], tuple[Path, "subprocess.CompletedProcess[bytes]"]]


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Alone:
    """A script, and what python makes of it without a recorder, with the threads and the hash seed of a measured run."""
    for name, value in {"CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}.items():
        monkeypatch.setenv(name, value)

    def alone(text: str) -> tuple[Path, subprocess.CompletedProcess[bytes]]:
        script = tmp_path / "script.py"
        script.write_text(dedent(text))
        return script, subprocess.run([sys.executable, str(script)], capture_output=True, timeout=120, check=False)

    return alone


IMPORT = "import torch; from torch import nn; from torch.utils import data; torch.manual_seed(0); import random; random.seed(0)\n"
FIXTURES = Path(__file__).parent.parent / "fixtures"


@pytest.mark.parametrize("measure", [False, True])
def test_a_recorded_run_is_the_run(alone: Alone, measure: bool) -> None:
    script, plain = alone(IMPORT + EVERYTHING)
    assert plain.returncode == 0, plain.stderr.decode()
    run = record(script, device="cpu", measure=measure)
    assert run.stdout == plain.stdout.decode()
    assert run.stderr == plain.stderr.decode()
    assert f"{script}:15: UserWarning: Detected call of `lr_scheduler.step()`" in run.stderr


@pytest.mark.parametrize("name", ["gan_two_optimizers_amp", "hf_style_accumulation", "plain_script_cosine"])
def test_a_recorded_program_says_what_it_says_alone(alone: Alone, name: str) -> None:
    state = "\nimport torch, random; print(torch.get_rng_state().sum().item(), random.random())\n"
    script, plain = alone("import random; random.seed(0)\n" + (FIXTURES / f"{name}.py").read_text() + state)
    run = record(script, device="cpu")
    assert plain.returncode == 0
    assert (run.stdout, run.stderr) == (plain.stdout.decode(), plain.stderr.decode())


def test_a_script_is_started_as_python_starts_it(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("import torch\ndef step(o):\n    o.step()\n")
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, torch, beside\nprint(sys.argv[1:], sys.argv[0] == __file__, sys.path[0])\n"
        "p = torch.ones(1, requires_grad=True)\nbeside.step(torch.optim.SGD([p], lr=1.0))\n"
        "if __name__ == '__main__': sys.exit('done')\n"
    )
    run = record(script, ["--epochs", "1"])
    assert run.stdout == f"['--epochs', '1'] True {tmp_path}\n"
    assert (run.raised, run.stderr) == (None, "done\n")
    (site,) = [event.at for event in run.trace if event.verb == "step"]
    assert isinstance(site, Site)
    assert [(Path(file).name, line) for file, line in site.stack] == [("beside.py", 3), ("script.py", 4)]


def test_an_error_of_the_script_is_part_of_the_run(play: Play) -> None:
    run = play(SGD + "optimizer.step()\nraise ValueError('late')")
    assert verbs(run) == "step"
    assert run.raised == "ValueError: late"
    assert "in <module>\n    raise ValueError('late')\nValueError: late" in run.stderr
    assert "loopcheck" not in run.stderr


def test_a_process_that_leaves_no_record(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import os, sys\nprint('last words', file=sys.stderr, flush=True)\nos._exit(7)\n")
    with pytest.raises(RecordError, match=r"script\.py ended with code 7 and left no record:\nlast words"):
        record(script)


def test_a_process_that_does_not_end(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import time\ntime.sleep(60)\n")
    with pytest.raises(RecordError, match="did not end within 1 seconds"):
        record(script, timeout=1.0)


def test_ranks(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import torch, torch.distributed as dist\nfrom torch import nn\ndist.init_process_group('gloo')\n"
        "torch.manual_seed(dist.get_rank())\nmodel = nn.Linear(2, 1)\n"
        "ddp = nn.parallel.DistributedDataParallel(model)\noptimizer = torch.optim.SGD(ddp.parameters(), lr=0.1)\n"
        "ddp(torch.randn(3, 2)).sum().backward()\noptimizer.step()\nprint(dist.get_rank())\ndist.destroy_process_group()\n"
    )
    run = record(script, device="cpu", ranks=2, measure=True)
    assert [rank.stdout for rank in run.ranks] == ["0\n", "1\n"]
    assert run is run.ranks[0]
    assert [verbs(rank) for rank in run.ranks] == ["replicate forward backward step"] * 2
    assert of(run, "forward")[0].on[0].name == "model"
    assert run.steps[0].grad_norm == run.ranks[1].steps[0].grad_norm


def test_two_families_of_one_base() -> None:
    patches = patch.begin()
    told: list[str] = []

    def noting(name: str) -> Callable[..., Generator[None, None, None]]:
        def around(*args: object) -> Generator[None, None, None]:
            told.append(name)
            yield

        return around

    class Base:
        pass

    wrap_family(Base, "one", lambda original: noting("one"))
    wrap_family(Base, "two", lambda original: noting("two"))

    class Child(Base):
        def one(self) -> None:
            pass

        def two(self) -> None:
            pass

    Child().one()
    Child().two()
    assert told == ["one", "two"]
    patches.release()
    Child().one()
    assert told == ["one", "two"]


@pytest.mark.parametrize(("folder", "mine"), [("site-packages", False), ("shared", True)])
def test_packages_of_another_environment_are_not_the_users(
    folder: str, mine: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / folder).mkdir()
    (tmp_path / folder / f"of_{mine}.py").write_text("class Net: pass")
    monkeypatch.syspath_prepend(str(tmp_path / folder))
    assert Sites(str(tmp_path / "project")).defines(importlib.import_module(f"of_{mine}").Net) is mine


def test_the_functions_of_a_schedule_are_called_as_often_as_without_the_recorder(play: Play) -> None:
    run = play(
        """
optimizer = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1)
lr, calls = 0.1, []
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: calls.append(step) or lr)
print(calls)
"""
    )
    (built,) = (event for event in run.trace if event.verb == "build" and event.on[0].kind == "scheduler")
    assert built.facts["twice"] is True
    assert run.stdout == "[0]\n"


CODER = """
class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5)), nn.Linear(2, 2)

    def encode(self, x):
        return [self.encoder[0](each) for each in [x]][0] + self.inner(x)

    def inner(self, x):
        return self.encoder(x)

    def decode(self, z):
        return self.decoder(z)

    def fit(self, x):
        self.decode(self.encode(x)).sum().backward()

    def check(self, x):
        self.fit(x)
        self.decoder(x)

model = Coder()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
"""


@pytest.mark.parametrize(
    ("call", "applied"),
    [
        ("model.encode(torch.ones(1, 2)).sum().backward()", [("model", "model.encode(torch.ones(1, 2))")]),
        ("model.decode(model.encode(torch.ones(1, 2))).sum().backward()", [("model", "model.encode(torch.ones(1, 2))")]),
        ("model.encoder(torch.ones(1, 2)).sum().backward()", [("Sequential", "model.encoder(torch.ones(1, 2))")]),
        ("model.fit(torch.ones(1, 2))", [("model", "self.encode(x)")]),
        ("model.check(torch.ones(1, 2))", [("model", "self.encode(x)"), ("decoder", "self.decoder(x)")]),
    ],
)
def test_a_method_that_only_applies_parts_of_a_model_is_one_forward_of_it(
    play: Play, call: str, applied: list[tuple[str, str]]
) -> None:
    run = play(CODER + call + "\noptimizer.step()\n")
    forwards = [event for event in run.trace if event.verb == "forward"]
    assert [(event.on[0].name.rpartition(".")[2], event.at.text) for event in forwards] == applied


MEANS = """
held = data.DataLoader(data.TensorDataset(torch.randn(7, 3), torch.randn(7, 1)), batch_size=3)
total, seen, losses = 0.0, 0, []
with torch.no_grad():
  for a, b in held:
    {adds}
print(total, seen, losses)
"""


@pytest.mark.parametrize(
    ("adds", "told"),
    [
        ("total += loss_of(model(a), b).item()\nmean = total / len(held)", ["total += loss_of(model(a), b).item()"]),
        ("losses.append(loss_of(model(a), b))\nmean = sum(losses) / 3", ["losses.append(loss_of(model(a), b))"]),
        ("total += loss_of(model(a), b).item() * len(a); seen += len(a)\nmean = total / seen", []),
        ("total += loss_of(model(a), b).item()", []),
        ("loss = loss_of(model(a), b); loss.backward(); total += loss.item()\nmean = total / len(held)", []),
    ],
)
def test_means_of_batches_that_are_added_up(play: Play, adds: str, told: list[str]) -> None:
    grad = MEANS.replace("torch.no_grad()", "torch.enable_grad()") if "backward" in adds else MEANS
    run = play(MODEL + grad.format(adds=adds))
    assert [line(event) for event in of(run, "tally")] == told
    assert all(event.facts["ragged"] == "known" for event in of(run, "tally"))


def test_batches_of_one_size_have_a_mean_of_means(play: Play) -> None:
    run = play(
        MODEL + MEANS.replace("torch.randn(7", "torch.randn(9").format(adds="total += loss_of(model(a), b).item()\ntotal /= 3")
    )
    assert not of(run, "tally")
    assert [each.sizes for each in run.evaluations] == [(3, 3, 3)]


@pytest.mark.parametrize(
    ("does", "dims", "most"),
    [
        ("for step in range(50): a, b = next(iter(held)); loss = loss_of(model(a), b).item()", 0, 20),
        ("for step in range(15_000): model.weight.data", 2, 12_000),
    ],
)
def test_what_nobody_will_look_at_is_not_kept(play: Play, does: str, dims: int, most: int) -> None:
    held = "held = data.DataLoader(data.TensorDataset(torch.randn(7, 3), torch.randn(7, 1)), batch_size=3)\n"
    kept = f"sum(isinstance(each, torch.Tensor) and each.dim() == {dims} for each in gc.get_objects())"
    run = play(f"{MODEL}{held}import gc\n{does}\nassert {kept} < {most}")
    assert run.raised is None


def test_a_copy_of_a_copied_state_is_of_the_same_object(play: Play) -> None:
    run = play(
        SGD
        + """
import dataclasses, io
@dataclasses.dataclass
class Snapshot:
    held: dict
kept = Snapshot(optimizer.state_dict())
copy = dataclasses.asdict(kept)["held"]
for held in (dataclasses.asdict(Snapshot(copy))["held"], kept.held):
    torch.save({"model": model.state_dict(), "optimizer": held}, io.BytesIO())
"""
    )
    assert facts(run, "save", "holds") == ["model, optimizer"] * 2


@pytest.mark.parametrize(("first", "told"), [("nn.Linear(4, 4)", [("list", False)]), ("nn.Tanh()", [])])
def test_layers_in_lists_in_a_list_are_hidden_as_well(tmp_path: Path, first: str, told: list[object]) -> None:
    script = tmp_path / "hiding.py"
    script.write_text(
        f"""import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 4)
        self.layers = [[{first}, nn.ReLU()]]

    def forward(self, x):
        return self.layers[0][0](self.head(x))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.randn(2, 3)).mean().backward()
optimizer.step()
"""
    )
    run = record(script)
    assert [(each.facts["of"], each.facts["bare"]) for each in of(run, "hide")] == told

"""How sure a finding is goes by what it rests on."""

import time
from pathlib import Path
from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_file, check_source
from loopcheck.read.library import Library
from loopcheck.rule import Confidence

NET = """
    import torch
    from torch import nn
    from torch.optim import SGD

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(4, 2)
            self.dropout = nn.Dropout(0.5)

        def forward(self, x):
            return self.dropout(self.layer(x))

    def accuracy(model, test_loader):
        with torch.no_grad():
            return sum((model(x).argmax(1) == y).sum().item() for x, y in test_loader)
"""


def sure(code: str, text: str) -> list[Confidence]:
    rules = [rule for rule in packs.rules() if rule.code == code]
    return [each.confidence for each in check_source(dedent(text).encode(), "train.py", rules).findings]


@pytest.mark.parametrize(
    ("after", "least"),
    [
        ("model = Net()\nprint(accuracy(model, test_loader))", Confidence.LOW),
        ("model = Net()\nmodel.load_state_dict(torch.load('best.pt'))\nprint(accuracy(model, test_loader))", Confidence.HIGH),
        (
            "model = Net()\noptimizer = SGD(model.parameters(), 0.1)\nfor x, y in train_loader:\n    optimizer.zero_grad()\n"
            "    nn.functional.cross_entropy(model(x), y).backward()\n    optimizer.step()\nprint(accuracy(model, test_loader))",
            Confidence.HIGH,
        ),
    ],
)
def test_the_mode_of_a_network_that_nobody_trains_or_loads_matters_to_nobody(after: str, least: Confidence) -> None:
    assert sure("LC601", dedent(NET) + after) == [least]


def test_layers_that_are_out_of_sight_may_be_the_same_in_both_modes() -> None:
    text = """
        import torch

        def evaluate(model, test_loader):
            model.train()
            with torch.no_grad():
                return sum((model(x).argmax(1) == y).sum().item() for x, y in test_loader)
    """
    assert sure("LC601", text) == [Confidence.LOW]


@pytest.mark.parametrize(
    "made",
    [
        "if TEST:\n            self.last = nn.Dropout(p)",
        "self.last = nn.Identity()\n        if TEST:\n            self.last = nn.Dropout(p)",
        "layers = []\n        if TEST:\n            layers += [nn.Dropout(p)]\n        self.last = nn.Sequential(*layers)",
    ],
)
@pytest.mark.parametrize(("test", "least"), [("deep", Confidence.LOW), ("p > 0", Confidence.HIGH)])
def test_a_layer_that_an_option_adds_may_not_be_there(made: str, test: str, least: Confidence) -> None:
    """Unless the option is the share that the layer drops: without one it drops nothing."""
    layer = made.replace("TEST", test)
    text = dedent(NET).replace("__init__(self)", "__init__(self, p, deep)").replace("self.dropout = nn.Dropout(0.5)", layer)
    text = text.replace("self.dropout(", "self.last(")
    text += "model = Net(read(), ask())\nmodel.load_state_dict(torch.load('best.pt'))\nprint(accuracy(model, test_loader))"
    assert sure("LC601", text) == [least]


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0), 2)", []),
        ("nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2)", [Confidence.HIGH]),
        ("nn.BatchNorm1d(4, momentum=1)", [Confidence.LOW]),
        ("nn.BatchNorm1d(4, momentum=0.1)", [Confidence.HIGH]),
        ("nn.Sequential(nn.BatchNorm1d(4, momentum=1))", [Confidence.LOW]),
        ("nn.InstanceNorm1d(4, affine=True, track_running_stats=True)", [Confidence.LOW]),
    ],
)
def test_an_option_takes_the_modes_from_a_layer(made: str, told: list[Confidence]) -> None:
    text = dedent(NET).replace("self.dropout = nn.Dropout(0.5)", f"self.last = {made}").replace("self.dropout(", "self.last(")
    text += "model = Net()\nmodel.load_state_dict(torch.load('best.pt'))\nprint(accuracy(model, test_loader))"
    assert sure("LC601", text) == told


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ("model.eval()", []),
        ("model.train()", [Confidence.LOW]),  # a program that trains nothing says so: it may be meant
        ("print(model)", [Confidence.HIGH]),
    ],
)
def test_the_mode_of_a_sequence_reaches_networks_of_the_program_in_it(mode: str, told: list[Confidence]) -> None:
    text = dedent(NET) + (
        "net = Net()\nmodel = nn.Sequential(net, nn.Linear(2, 2))\nmodel.load_state_dict(torch.load('best.pt'))\n"
        f"{mode}\nprint(accuracy(net, test_loader))"
    )
    assert sure("LC601", text) == told


def test_a_pass_whose_outputs_go_nowhere_evaluates_nothing() -> None:
    """It fills the statistics of batch norms, say."""
    text = dedent(NET) + dedent("""
        def warm_up(model, test_loader):
            model.train()
            for x, y in test_loader:
                _ = model(x)

        model = Net()
        model.load_state_dict(torch.load("best.pt"))
        warm_up(model, test_loader)
    """)
    assert sure("LC601", text) == []
    text = text.replace("_ = model(x)", "print(model(x))")
    assert sure("LC601", text) == [Confidence.LOW]
    assert sure("LC601", text.replace("model.train()", "print(model)")) == [Confidence.HIGH]


def test_a_loss_that_goes_back_to_its_network_is_differentiated() -> None:
    text = dedent("""
        import torch

        class Learner:
            def __init__(self, policy):
                self.policy = policy

            def loss(self, batch):
                x, y = batch
                return torch.nn.functional.mse_loss(self.policy(x), y)

            def adapt(self, batch):
                loss = self.loss(batch)
                return self.policy.update_params(loss, step_size=0.1), loss

            def test(self, test_tasks):
                losses = []
                for task in test_tasks:
                    params, loss = self.adapt(task)
                    losses.append(loss.item())
                return losses

            def train(self, tasks):
                optimizer = torch.optim.SGD(self.policy.parameters(), 0.1)
                for task in tasks:
                    optimizer.zero_grad()
                    self.loss(task).backward()
                    optimizer.step()
    """)
    assert sure("LC602", text) == []
    assert sure("LC602", text.replace("update_params(loss, ", "some_params(")) == [Confidence.HIGH]


def test_a_forward_that_takes_gradients_in_methods_of_its_own_needs_a_graph() -> None:
    text = dedent("""
        import torch
        from torch import nn

        class Refiner(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = nn.Parameter(torch.zeros(4, 2))

            def refine(self, x, theta):
                return theta - torch.autograd.grad((x @ theta).sum(), [theta], create_graph=True)[0]

            def weights(self, x):
                return self.refine(x, self.weight)

            def forward(self, x):
                return x @ self.weights(x)

        def accuracy(model, test_loader):
            correct = 0
            for x, y in test_loader:
                correct += (model(x).argmax(1) == y).sum().item()
            return correct

        model = Refiner()
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        print(accuracy(model, test_loader))
    """)
    assert sure("LC602", text) == []
    assert sure("LC602", text.replace("torch.autograd.grad((x @ theta).sum(), [theta], create_graph=True)[0]", "theta")) == [
        Confidence.HIGH
    ]


@pytest.mark.parametrize(
    ("test", "least"),
    [
        ("self.use_dropout", Confidence.LOW),
        ("self.share is not None and self.use_dropout is True", Confidence.LOW),
        ("self.share > 0", Confidence.HIGH),
        ("self.deep", Confidence.HIGH),
    ],
)
def test_a_flag_that_says_whether_to_drop_may_know_when(test: str, least: Confidence) -> None:
    text = dedent(NET).replace(
        "return self.dropout(self.layer(x))", f"if {test}:\n            x = nn.functional.dropout(x, self.share)"
    )
    text += "optimizer = SGD(Net().parameters(), 0.1)\noptimizer.step()\n"
    assert sure("LC606", text) == [least]


SCHEDULES = """
import torch
import pytorch_warmup
from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR, LinearLR, PolynomialLR, SequentialLR

def make(net, other, warmup_steps, total_steps, least):
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    elsewhere = torch.optim.Adam(other.parameters(), lr=1e-3)
    decay = {decay}
    warmup = {warmup}
    optimizer.step()
    return optimizer, elsewhere, decay, warmup
"""
COSINE, WARMUP = "CosineAnnealingLR(optimizer, T_max=warmup_steps)", "LinearLR(optimizer, 0.1, total_iters=warmup_steps)"


@pytest.mark.parametrize(
    ("decay", "warmup", "told"),
    [
        (COSINE, WARMUP, 1),
        (WARMUP, COSINE, 1),
        (COSINE, "pytorch_warmup.LinearWarmup(optimizer, warmup_period=warmup_steps)", 1),
        (COSINE, "LambdaLR(optimizer, lambda step: min(1.0, step / warmup_steps))", 1),
        ("PolynomialLR(optimizer, warmup_steps)", WARMUP, 1),
        (COSINE.replace("_steps", "_steps, eta_min=1e-5"), WARMUP, 1),
        (COSINE.replace("warmup", "total"), WARMUP, 0),
        (COSINE.replace("warmup", "total"), WARMUP.replace("warmup", "total"), 0),
        (COSINE.replace("warmup", "total_steps - warmup"), WARMUP, 0),
        (COSINE.replace("_steps", "_steps, eta_min=1e-2"), WARMUP, 0),
        (COSINE.replace("_steps", "_steps, eta_min=least"), WARMUP, 0),
        (COSINE, WARMUP.replace("optimizer", "elsewhere"), 0),
        (COSINE, WARMUP.replace("0.1", "1.0, 0.1"), 0),
        (COSINE, WARMUP.replace("0.1", "least"), 0),
        (COSINE, "None", 0),
        (COSINE, f"SequentialLR(optimizer, [{WARMUP}, decay], [warmup_steps])", 0),
    ],
)
def test_a_decay_that_is_over_when_the_warm_up_is(decay: str, warmup: str, told: int) -> None:
    assert sure("LC503", SCHEDULES.format(decay=decay, warmup=warmup)) == [Confidence.HIGH] * told


OWN_SCHEDULE = """
import torch

class Annealing:
    def __init__(self, optimizer, rate, warmup, last=0):
        self.optimizer, self.rate, self.warmup, self.num_iters = optimizer, rate, warmup, last
        self.step(self.num_iters)

    def get_lr(self):
        if self.warmup > 0 and self.num_iters <= self.warmup:
            return float(self.rate) * self.num_iters / self.warmup
        return self.rate

    def step(self, count=None):
        if count is None:
            count = self.num_iters + 1
        self.num_iters = count
        rate = self.get_lr()
        for group in self.optimizer.param_groups:
            group["lr"] = rate

    def load_state_dict(self, state):
        self.step(state["count"])

def main(model, loader, warmup):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    schedule = Annealing(optimizer, 0.1, warmup, last=0)
    for x, y in loader:
        optimizer.zero_grad()
        model(x, y).backward()
        optimizer.step()
        schedule.step()
"""


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("", "", 1),
        (", last=0)\n    for", ")\n    for", 1),
        ("last=0)\n    for", "last=read())\n    for", 0),
        ("        self.step(self.num_iters)\n", "", 0),
        ("self.step(self.num_iters)", "self.step()", 0),
        ("    optimizer.zero_grad()", "    schedule.step()\n        optimizer.zero_grad()", 0),
        ("    for x", "    schedule.load_state_dict(torch.load('state.pt'))\n    for x", 0),
        ("    for x", "    if resumes():\n        schedule.load_state_dict(torch.load('state.pt'))\n    for x", 1),
    ],
)
def test_the_rate_that_a_schedule_of_ones_own_begins_with(old: str, new: str, told: int) -> None:
    assert sure("LC504", OWN_SCHEDULE.replace(old, new) if old else OWN_SCHEDULE) == [Confidence.HIGH] * told


HANDED_ON = """
import torch
from torch import nn
from torch.nn import functional as F

# before

class Net(nn.Module):
    def __init__(self, share, other):
        super().__init__()
        self.layer, self.other, self.width = nn.Linear(4, 2), other, 4
        self.dropout = share
        self.kept = drop
        self.made = make()

    def forward(self, x):
        x = self.layer(x)
        return drop(x, self.dropout)

# after

optimizer = torch.optim.SGD(Net(0.1, print).parameters(), 0.1)
optimizer.step()
"""
HELPER = """
def drop(x, p):
    return F.dropout(x, p)
"""
MAKER = """
def make():
    def inner(x, p):
        return F.dropout(x, p)
    return inner
"""
CALL = "drop(x, self.dropout)"


def of_helper(helper: str, call: str, place: str) -> list[Confidence]:
    return sure("LC606", HANDED_ON.replace(CALL, call).replace(f"# {place}", helper))


@pytest.mark.parametrize("place", ["before", "after"])
@pytest.mark.parametrize(
    ("helper", "call"),
    [
        (HELPER, CALL),
        (HELPER, "drop(x, p=self.dropout)"),
        (HELPER, "self.kept(x, self.dropout)"),
        (MAKER, "self.made(x, self.dropout)"),
        (HELPER.replace("return", "if p and x.ndim == 2: return"), CALL),
        (HELPER.replace("F.dropout(x, p)", "F.scaled_dot_product_attention(x, x, x, dropout_p=p)"), CALL),
    ],
)
def test_a_function_that_drops_by_the_share_that_it_is_handed(helper: str, call: str, place: str) -> None:
    assert of_helper(helper, call, place) == [Confidence.HIGH]


@pytest.mark.parametrize("place", ["before", "after"])
@pytest.mark.parametrize(
    ("helper", "call"),
    [
        (HELPER.replace("(x, p)", "(x, p, training=False)"), CALL),
        (HELPER.replace("drop(x, p)", "drop(x, p, still=True)", 1).replace("return", "return x if still else"), CALL),
        (HELPER.replace("drop(x, p)", "drop(x, p, how='')", 1).replace("return", "return x if how == 'a' else"), CALL),
        (HELPER.replace("return", "p = share(p)\n    return"), CALL),
        (HELPER.replace("def", "@once\ndef"), CALL),
        (HELPER.replace("F.dropout(x, p)", "F.dropout(x, 0.0)"), CALL),
        (HELPER.replace("F.", "others."), CALL),
        (HELPER + "drop = chosen(drop)\n", CALL),
        (HELPER.replace("drop(x", "mc_drop(x", 1), "mc_drop(x, self.dropout)"),
        (HELPER, "drop(x, self.dropout, self.training)"),
        (HELPER, "drop(x, *[self.dropout])"),
        (HELPER, "drop(x, self.width)"),
        (HELPER, "others.drop(x, self.dropout)"),
        (HELPER, "self.other(x, self.dropout)"),
        (MAKER.replace("return inner", "return chosen(inner)"), "self.made(x, self.dropout)"),
        (MAKER.replace("return inner", "inner = chosen(inner)\n    return inner"), "self.made(x, self.dropout)"),
        (MAKER.replace("return inner", "if fused: return fused\n    return inner"), "self.made(x, self.dropout)"),
    ],
)
def test_a_function_that_may_know_when_to_drop(helper: str, call: str, place: str) -> None:
    assert of_helper(helper, call, place) == []


def test_a_function_of_another_file_that_drops_by_the_share_that_it_is_handed(tmp_path: Path) -> None:
    head, _, _ = HANDED_ON.partition("# before")
    (tmp_path / "ops.py").write_text(head + HELPER)
    main = tmp_path / "net.py"
    main.write_text(HANDED_ON.replace("# before", "from ops import drop").replace("self.made = make()", ""))
    rules = [rule for rule in packs.rules() if rule.code == "LC606"]
    assert [each.primary.row for each in check_file(main, rules, Library()).findings] == [18]


def test_the_arm_of_a_flag_that_makes_no_processes_is_one_process() -> None:
    text = dedent("""
        import os
        import torch
        from torch import nn


        class Engine:
            def __init__(self, model, optimizer, args):
                self.model = model
                self.optimizer = optimizer
                self.args = args

            def train(self, loader):
                for x, y in loader:
                    self.optimizer.zero_grad()
                    nn.functional.cross_entropy(self.model(x), y).backward()
                    self.optimizer.step()

            def save(self):
                torch.save(self.model.state_dict(), os.path.join(self.args.logdir, "model.pt"))


        def main(args):
            several = bool(args.parallel_training)
            rank = 0
            model = nn.Linear(4, 2)
            if several:
                rank = int(os.environ["RANK"])
                torch.distributed.init_process_group("nccl")
                model = nn.parallel.DistributedDataParallel(model)
            engine = Engine(model, torch.optim.SGD(model.parameters(), 0.1), args)
            for epoch in range(10):
                engine.train(loader)
                if several:
                    if rank == 0:
                        engine.save()
                else:
                    engine.save()
    """)
    assert sure("LC704", text) == []


@pytest.mark.parametrize(("kind", "told"), [("SCALED", False), ("BY_HAND", True)])
def test_a_setting_that_a_helper_has_asked_for_excludes_what_it_always_did(kind: str, told: bool) -> None:
    text = f"""
        import torch
        from settings import Precision

        def context(task):
            return torch.autocast("cuda") if task.precision == Precision.SCALED else None

        def run_backward(task, loss):
            task.optimizer.zero_grad()
            if task.precision == Precision.BY_HAND:
                loss.backward()
            elif task.precision == Precision.SCALED:
                task.scaler.scale(loss).backward()

        def run_step(task):
            if task.precision == Precision.{kind}:
                task.scaler.step(task.optimizer)

        def train_step(task, x, y):
            with context(task):
                if task.manual:
                    task.model.sync()
                loss = task.loss(task.model(x), y)
            run_backward(task, loss)
            run_step(task)
    """
    assert bool(sure("LC204", text)) is told


@pytest.mark.parametrize(("factor", "least"), [("min(1, step / 4)", Confidence.MEDIUM), ("0.9 ** step", Confidence.HIGH)])
def test_a_warm_up_from_zero_that_is_stepped_first_loses_no_update(factor: str, least: Confidence) -> None:
    text = f"""
        import torch
        from torch import nn

        model = nn.Linear(4, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: {factor})
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            scheduler.step()
            optimizer.step()
    """
    assert sure("LC501", text) == [least]


@pytest.mark.parametrize(
    ("rates", "least"),
    [
        ("[base_lr * self.last_epoch / (self.total + 1e-8) for base_lr in self.base_lrs]", Confidence.MEDIUM),
        ("[base_lr * (self.last_epoch + 1) / self.total for base_lr in self.base_lrs]", Confidence.HIGH),
        ("[base_lr * 0.9 ** self.last_epoch for base_lr in self.base_lrs]", Confidence.HIGH),
    ],
)
def test_a_class_of_schedules_that_begins_with_zero_loses_no_update_either(rates: str, least: Confidence) -> None:
    text = f"""
        import torch
        from torch import nn
        from torch.optim.lr_scheduler import LRScheduler

        class WarmUp(LRScheduler):
            def __init__(self, optimizer, total, last_epoch=-1):
                self.total = total
                super().__init__(optimizer, last_epoch)

            def get_lr(self):
                return {rates}

        model = nn.Linear(4, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        scheduler = WarmUp(optimizer, 100)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            scheduler.step()
            optimizer.step()
    """
    assert sure("LC501", text) == [least]


@pytest.mark.parametrize(
    ("filled", "over", "least"),
    [
        ("net.load_state_dict(torch.load('net.pt'))", "if True", [Confidence.MEDIUM]),
        ("net.load_state_dict(torch.load('net.pt'))", "for name in sys.argv[1:]", [Confidence.HIGH]),
        ("pass", "if True", [Confidence.MEDIUM]),
    ],
)
def test_the_graph_of_one_batch_is_told_with_less_confidence(filled: str, over: str, least: list[Confidence]) -> None:
    text = f"""
        import sys
        import torch
        from PIL import Image
        from torch import nn
        from torchvision.transforms.functional import to_tensor

        net = nn.Sequential(nn.Flatten(), nn.Linear(12, 2))
        {filled}
        net.eval()
        name = sys.argv[1]
        {over}:
            print(net(to_tensor(Image.open(name))[None]).argmax(1).item())
    """
    assert sure("LC602", text) == least


KEEPS = "[base_lr * (1 - self.now / self.total) for base_lr in self.base_lrs]"


@pytest.mark.parametrize(
    ("rates", "least"),
    [
        (f"return {KEEPS}", []),
        (f"rates = {KEEPS}; return rates", []),
        ("return [base_lr * (1 - self.last_epoch / self.total) for base_lr in self.base_lrs]", [Confidence.HIGH]),
        ("return [group['lr'] * 0.9 for group in self.optimizer.param_groups]", [Confidence.HIGH]),
        (f"self.now += 1; return {KEEPS}", [Confidence.HIGH]),
        ("return [base_lr * self.left() for base_lr in self.base_lrs]", [Confidence.HIGH]),
        ("return [rate * 0.9 for rate in super().get_lr()]", [Confidence.HIGH]),
        ("return [base_lr * left(self) for base_lr in self.base_lrs]", [Confidence.HIGH]),
    ],
)
def test_a_schedule_that_is_told_where_it_is_loses_nothing_by_a_step(rates: str, least: list[Confidence]) -> None:
    text = f"""
        import torch
        from torch import nn
        from torch.optim.lr_scheduler import LRScheduler

        def left(schedule):
            return 0.9 ** schedule.last_epoch

        class Decay(LRScheduler):
            def __init__(self, optimizer, total, now):
                self.total, self.now = total, now
                super().__init__(optimizer)

            def left(self):
                return 0.9 ** self.last_epoch

            def get_lr(self):
                {rates}

        model = nn.Linear(4, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for now, (x, y) in enumerate(loader):
            scheduler = Decay(optimizer, 100, now)
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            scheduler.step()
            optimizer.step()
    """
    assert sure("LC501", text) == least


@pytest.mark.parametrize(
    ("made", "least"),
    [
        ("recipes.NoamLR(optimizer, warmup=4)", []),
        ("torch.optim.lr_scheduler.StepLR(optimizer, 4)", [Confidence.HIGH]),
    ],
)
def test_a_schedule_of_a_class_out_of_sight_may_count_from_one(made: str, least: list[Confidence]) -> None:
    text = f"""
        import recipes
        import torch
        from torch import nn

        model = nn.Linear(4, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        scheduler = {made}
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            scheduler.step()
            optimizer.step()
    """
    assert sure("LC501", text) == least


@pytest.mark.parametrize(("before", "least"), [("", Confidence.LOW), ("model.train()", Confidence.MEDIUM)])
def test_who_switches_a_network_to_train_mode_says_that_modes_matter(before: str, least: Confidence) -> None:
    text = f"""
        import torch

        def train(model, optimizer, train_loader, test_loader):
            {before or "model = build(model)"}
            for epoch in range(3):
                for x, y in train_loader:
                    optimizer.zero_grad()
                    torch.nn.functional.cross_entropy(model(x), y).backward()
                    optimizer.step()
                model.eval()
                with torch.no_grad():
                    print(sum((model(x).argmax(1) == y).sum().item() for x, y in test_loader))
    """
    assert set(sure("LC603", text)) <= {least}
    assert sure("LC603", text) or not before


@pytest.mark.parametrize(
    ("test", "least"),
    [
        ("len(loaders.val_loader) > 0", Confidence.MEDIUM),
        ("len(loaders.val_loader)", Confidence.MEDIUM),
        ("len(scores) < 3", Confidence.LOW),  # it grows with each validation
    ],
)
def test_a_loader_has_as_many_batches_on_every_pass(test: str, least: Confidence) -> None:
    text = f"""
        import torch
        from torch import nn

        def train(loaders, scores):
            model = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5), nn.Linear(8, 2))
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            model.train()
            for epoch in range(3):
                for x, y in loaders.train_loader:
                    optimizer.zero_grad()
                    nn.functional.cross_entropy(model(x), y).backward()
                    optimizer.step()
                if {test}:
                    model.eval()
                    with torch.no_grad():
                        scores.append(sum((model(x).argmax(1) == y).sum().item() for x, y in loaders.val_loader))
    """
    assert sure("LC603", text) == [least]


@pytest.mark.parametrize(
    ("before", "within", "told"),
    [("model.eval()", "model.train()", [Confidence.MEDIUM]), ("model.eval()", "", []), ("", "model.train()", [Confidence.LOW])],
)
def test_a_pass_that_is_begun_in_eval_mode_is_evaluated_in_it(before: str, within: str, told: list[Confidence]) -> None:
    text = f"""
        import torch

        def train(encoders, head, optimizer, train_loader, test_loader):
            model = build(encoders, head)
            for epoch in range(3):
                model.train()
                for x, y in train_loader:
                    optimizer.zero_grad()
                    torch.nn.functional.cross_entropy(model(x), y).backward()
                    optimizer.step()
                {before or "right = 0"}
                with torch.no_grad():
                    for x, y in test_loader:
                        {within or "right = 0"}
                        print((model(x).argmax(1) == y).sum().item())
    """
    assert sure("LC601", text) == told


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("AutoModel.from_pretrained('bert-base-uncased')", [Confidence.HIGH]),
        ("AutoModel.from_pretrained('FacebookAI/xlm-roberta-base')", [Confidence.HIGH]),
        ("DebertaV2ForSequenceClassification.from_pretrained(folder)", [Confidence.HIGH]),
        ("AutoModel.from_pretrained('albert-base-v2')", [Confidence.LOW]),
        ("AutoModel.from_pretrained(folder)", [Confidence.LOW]),
        ("LlamaForCausalLM.from_pretrained('bert-like')", [Confidence.LOW]),
        ("AutoModel.from_pretrained('bert-base-uncased', config=config)", [Confidence.LOW]),
        ("AutoModel.from_pretrained('bert-base-uncased', hidden_dropout_prob=0.0)", [Confidence.LOW]),
        ("AutoModel.from_pretrained('bert-base-uncased').train()", []),
    ],
)
def test_a_pretrained_network_has_the_dropout_of_its_architecture(made: str, told: list[Confidence]) -> None:
    text = f"""
        import torch
        from transformers import AutoModel, DebertaV2ForSequenceClassification, LlamaForCausalLM

        model = {made}
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(x).logits, y).backward()
            optimizer.step()
    """
    assert sure("LC604", text) == told


def test_a_pretrained_network_is_put_into_train_mode_before_the_pass() -> None:
    text = """
        import torch
        from transformers import AutoModel

        model = AutoModel.from_pretrained('bert-base-uncased')
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(x).logits, y).backward()
            optimizer.step()
    """
    rules = [rule for rule in packs.rules() if rule.code == "LC604"]
    (finding,) = check_source(dedent(text).encode(), "train.py", rules).findings
    assert finding.repair
    assert "insert `model.train()` before `for x, y in loader:`" in finding.repair.message


@pytest.mark.parametrize(("frozen", "applicability"), [("model.norm.eval()", "unsafe"), ("teacher.eval()", "safe")])
def test_a_repair_that_takes_layers_out_of_eval_mode_is_unsafe(frozen: str, applicability: str) -> None:
    text = dedent(NET) + dedent(f"""
        model, teacher = Net(), Net()
        model.load_state_dict(torch.load('best.pt'))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        model.train()
        {frozen}
        for step, (x, y) in enumerate(train_loader):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
            if step % 10 == 0:
                model.eval()
                print(accuracy(model, test_loader))
    """)
    rules = [rule for rule in packs.rules() if rule.code == "LC603"]
    (finding,) = check_source(text.encode(), "train.py", rules).findings
    assert finding.repair
    assert finding.repair.applicability == applicability


@pytest.mark.parametrize(
    ("metric", "told"), [("val_loss", [Confidence.HIGH]), ("val_acc", []), ("val_gloss_acc", []), ("acc_at_best_loss", [])]
)
def test_a_metric_that_is_called_a_gain_and_a_loss_is_neither(metric: str, told: list[Confidence]) -> None:
    text = f"""
        import torch
        from torch import nn

        model = nn.Linear(4, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max")
        for epoch in range(10):
            for x, y in loader:
                optimizer.zero_grad()
                nn.functional.mse_loss(model(x), y).backward()
                optimizer.step()
            {metric} = measure(model)
            scheduler.step({metric})
    """
    assert sure("LC508", text) == told


@pytest.mark.parametrize("layers", ["model.modules()", "model.children()", "(model if args.all else model.body).modules()"])
def test_layers_that_some_option_freezes_do_not_speak_for_the_network(layers: str) -> None:
    net = dedent(NET).replace("super().__init__()", "super().__init__()\n        self.body = nn.Linear(4, 4)")
    text = net + dedent(f"""
        model = Net()
        model.load_state_dict(torch.load('best.pt'))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for epoch in range(10):
            model.train()
            if args.freeze:
                for layer in {layers}:
                    if isinstance(layer, nn.BatchNorm1d):
                        layer.eval()
            for step, (x, y) in enumerate(train_loader):
                optimizer.zero_grad()
                nn.functional.cross_entropy(model(x), y).backward()
                optimizer.step()
                if step % 10 == 0:
                    model.eval()
                    print(accuracy(model, test_loader))
    """)
    assert sure("LC603", text) == [Confidence.HIGH]


def test_what_many_networks_in_one_place_are_is_asked_of_each_once() -> None:
    options = "".join(
        f"    if args.a{k} == {k}:\n        model = model if args.b{k} else (Net({k}) if args.c{k} else model)\n"
        f"        other = Net({k}) if args.d{k} else model\n        model = other if args.e{k} else model\n"
        for k in range(14)
    )
    net = dedent(NET).replace("__init__(self)", "__init__(self, k)")
    text = f"{net}\n\ndef build(args):\n    model = Net(0)\n{options}    return model\n\n\nmodel = build(parse())\n"
    text += "model.load_state_dict(torch.load('best.pt'))\nprint(accuracy(model, test_loader))\n"
    asked = time.process_time()
    sure("LC601", text)
    assert time.process_time() - asked < 5, "it is exponential in the options"


TRAINER = """
    import os
    import torch
    from transformers import AutoModelForCausalLM, Trainer

    model = AutoModelForCausalLM.from_pretrained("gpt2")
    {asks}
    trainer = Trainer(model=model, train_dataset=tokens)
    trainer.train()
    {saves}
"""


@pytest.mark.parametrize(
    ("asks", "least"),
    [
        ("many = int(os.environ.get('WORLD_SIZE', 1))", [Confidence.MEDIUM]),
        ("many = os.getenv('LOCAL_RANK')", [Confidence.MEDIUM]),
        ("many = os.environ['RANK']", [Confidence.MEDIUM]),
        ("if 'RANK' in os.environ: print('one of several')", [Confidence.MEDIUM]),
        ("many = os.environ.get('RANKING', torch.optim)", []),
        ("many = torch.cuda.device_count(); torch.optim", []),
    ],
)
@pytest.mark.parametrize("saves", ["model.save_pretrained('tuned')", "torch.save(model.state_dict(), 'tuned.pt')"])
def test_a_trainer_is_in_several_processes_where_the_program_asks_its_launcher(
    asks: str, least: list[Confidence], saves: str
) -> None:
    assert sure("LC704", TRAINER.format(asks=asks, saves=saves)) == least


@pytest.mark.parametrize(
    ("joins", "wraps", "found"),
    [
        ("pass", "if args.distributed: net = DistributedDataParallel(net)", 0),
        ("if args.distributed: dist.init_process_group('nccl')", "if args.distributed: net = DistributedDataParallel(net)", 1),
        ("rank = int(os.environ['LOCAL_RANK'])", "if args.distributed: net = DistributedDataParallel(net)", 1),
        ("pass", "net = DistributedDataParallel(net)", 1),
    ],
)
def test_who_wraps_by_an_option_and_joins_nobody_is_alone(joins: str, wraps: str, found: int) -> None:
    text = f"""
        import os
        import torch
        import torch.distributed as dist
        from torch import nn
        from torch.nn.parallel import DistributedDataParallel

        def main(args, loader):
            {joins}
            net = nn.Linear(8, 2)
            {wraps}
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            for epoch in range(3):
                for x, y in loader:
                    optimizer.zero_grad()
                    nn.functional.cross_entropy(net(x), y).backward()
                    optimizer.step()
                torch.save(net.state_dict(), "net.pt")
    """
    assert len(sure("LC704", text)) == found


@pytest.mark.parametrize(("test", "found"), [("== 1", 0), ("< 2", 0), ("<= 1", 0), ("!= 1", 1), ("> 1", 1)])
def test_one_process_alone_writes_what_it_likes(test: str, found: int) -> None:
    saves = f"if many {test}: model.save_pretrained('tuned')"
    asks = "many = int(os.environ.get('WORLD_SIZE', 1))"
    assert len(sure("LC704", TRAINER.format(asks=asks, saves=saves))) == found


@pytest.mark.parametrize("exports", ["pass", "model.module.save_pretrained('tuned')"])
def test_a_model_in_a_folder_is_no_checkpoint_that_is_written_over(exports: str) -> None:
    text = f"""
        import torch
        import torch.distributed as dist
        from torch.nn.parallel import DistributedDataParallel
        from transformers import AutoModelForCausalLM

        dist.init_process_group("nccl")
        model = DistributedDataParallel(AutoModelForCausalLM.from_pretrained("gpt2").train())
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
        for epoch in range(3):
            for batch in loader:
                optimizer.zero_grad()
                model(**batch).loss.backward()
                optimizer.step()
            if dist.get_rank() == 0:
                torch.save({{"model": model.module.state_dict(), "optimizer": optimizer.state_dict()}}, "last.pt")
            {exports}
    """
    assert [len(sure(code, text)) for code in ("LC704", "LC901", "LC902", "LC705")] == [exports != "pass", 0, 1, 0]


@pytest.mark.parametrize(
    ("path", "guard", "least"),
    [
        ("tests/test_net.py", "", Confidence.LOW),
        ("tests/test_net.py", "print('not what __main__ does', __name__)\n", Confidence.LOW),
        ("tests/test_net.py", "if __name__ == '__main__':\n    print(model)\n", Confidence.HIGH),
        ("test_net.py", "", Confidence.HIGH),
    ],
)
def test_a_smoke_test_that_pytest_collects_trains_nothing_that_anybody_uses(path: str, guard: str, least: Confidence) -> None:
    text = dedent(NET) + (
        "model = Net()\noptimizer = SGD(model.parameters(), 0.1)\nfor _ in range(10):\n"
        "    model(torch.rand(3, 4)).sum().backward()\n    optimizer.step()\n"
    )
    rules = [rule for rule in packs.rules() if rule.code == "LC103"]
    assert [each.confidence for each in check_source((text + guard).encode(), path, rules).findings] == [least]


@pytest.mark.parametrize(("accumulated", "length"), [(1, "// ACCUMULATE"), (4, "// ACCUMULATE"), (4, "")])
def test_a_length_that_is_divided_by_a_window_of_one_is_in_its_unit(accumulated: int, length: str) -> None:
    text = f"""
        import torch
        from torch import nn

        ACCUMULATE = {accumulated}

        def main(loader, epochs):
            net = nn.Linear(8, 2)
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs * len(loader) {length})
            seen = 0
            for epoch in range(epochs):
                for x, y in loader:
                    (nn.functional.cross_entropy(net(x), y) / ACCUMULATE).backward()
                    seen += 1
                    if seen >= ACCUMULATE:
                        optimizer.step()
                        optimizer.zero_grad()
                        scheduler.step()
                        seen = 0
    """
    assert bool(sure("LC502", text)) is not bool(length)


@pytest.mark.parametrize(
    ("made", "before", "told"),
    [
        ("BertModel.from_pretrained('bert-base-uncased')", "pass", 1),
        ("torchvision.models.resnet18()", "net.body.eval()", 0),
    ],
)
def test_a_part_is_in_eval_mode_as_it_came_or_because_somebody_says_so(made: str, before: str, told: int) -> None:
    text = f"""
        import torch
        import torchvision
        from torch import nn
        from transformers import BertModel

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.body = {made}
                self.head = nn.Linear(8, 2)

            def forward(self, x):
                return self.head(self.body(x))

        def main(loader):
            net = Net()
            slowly = torch.optim.AdamW(net.body.parameters(), lr=1e-5)
            quickly = torch.optim.AdamW(net.head.parameters(), lr=1e-3)
            {before}
            for x, y in loader:
                slowly.zero_grad()
                quickly.zero_grad()
                nn.functional.cross_entropy(net(x), y).backward()
                slowly.step()
                quickly.step()
    """
    assert len(sure("LC604", text)) == told

"""Schedules, streams and windows as people write them, each that does not fit the run beside its twin that does."""

from __future__ import annotations

import pytest
from twins import Twin, told

BATCHES = """
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()"""
MADE = """
from torch.optim import lr_scheduler

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=90)
parser.add_argument("--warmup", type=int, default=5)
parser.add_argument("--lr", type=float, default=0.1)
args = parser.parse_args()
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=args.lr)
"""
STREAMED = """

class Rows(torch.utils.data.IterableDataset):
    def __init__(self, path, waiting):
        self.path, self.waiting = path, waiting
"""
READ = f"""
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
LOADER = DataLoader(Rows("rows.txt", []), batch_size=8, num_workers=4)
for epoch in range(3):{BATCHES}
"""
RISING = "lr_scheduler.LinearLR(optimizer, 0.01, total_iters=args.warmup)"

SKIPPING = """
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
for epoch in range(9):
    if {when}:
        scheduler.step()
    for x, y in LOADER:
        if len(x) < 2:
            continue
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
"""

TWINS: dict[str, Twin] = {
    "a loop that skips some of its passes, and not all": (
        "scheduler-before-optimizer",
        SKIPPING,
        {"when": "epoch > 0"},
        {"when": "epoch >= 0"},
    ),
    "epochs that are counted from 1": (
        "scheduler-length-mismatch",
        f"""{MADE}
falling = lr_scheduler.CosineAnnealingLR(optimizer, T_max={{length}})
schedule = lr_scheduler.SequentialLR(optimizer, [{RISING}, falling], [args.warmup])
for epoch in range(1, args.epochs + 1):{BATCHES}
    schedule.step()
""",
        {"length": "args.epochs - args.warmup"},
        {"length": "args.epochs"},
    ),
    "as many epochs as there are, one fewer than are counted to": (
        "scheduler-length-mismatch",
        f"""{MADE}
falling = lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)
schedule = lr_scheduler.SequentialLR(optimizer, [{RISING}, falling], [args.warmup])
for epoch in range({{first}}, args.epochs):{BATCHES}
    schedule.step()
""",
        {"first": "1"},
        {"first": "0"},
    ),
    "a length that is the number of the epochs, counted from 1": (
        "scheduler-cadence",
        f"""{MADE}
schedule = lr_scheduler.CosineAnnealingLR(optimizer, T_max=90)
for epoch in range(1, 91):{BATCHES}
    {{where}}schedule.step()
""",
        {"where": ""},
        {"where": "    "},
    ),
    "a run that may go on from another": (
        "scheduler-length-mismatch",
        f"""{MADE}
falling = lr_scheduler.CosineAnnealingLR(optimizer, T_max={{length}})
schedule = lr_scheduler.SequentialLR(optimizer, [{RISING}, falling], [args.warmup])
begun = 0
if args.resume:
    saved = torch.load(args.resume)
    schedule.load_state_dict(saved["schedule"])
    begun = saved["epoch"] + 1
for epoch in range(begun, args.epochs):{BATCHES}
    schedule.step()
""",
        {"length": "args.epochs - args.warmup"},
        {"length": "args.epochs"},
    ),
    "a run that goes on behind its first epochs": (
        "scheduler-length-mismatch",
        f"""{MADE}
falling = lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)
schedule = lr_scheduler.SequentialLR(optimizer, [{RISING}, falling], [args.warmup])
begun = {{first}}
if args.resume:
    begun = torch.load(args.resume)["epoch"] + 1
for epoch in range(begun, args.epochs):{BATCHES}
    schedule.step()
""",
        {"first": "args.warmup"},
        {"first": "0"},
    ),
    "a loop that goes on where another has ended": (
        "scheduler-length-mismatch",
        f"""{MADE}
falling = lr_scheduler.CosineAnnealingLR(optimizer, T_max=45)
schedule = lr_scheduler.SequentialLR(optimizer, [{RISING}, falling], [args.warmup])
for epoch in range(5):{BATCHES}
    {{stepped}}
for epoch in {{epochs}}:{BATCHES}
    schedule.step()
""",
        {"stepped": "schedule.step()", "epochs": "range(5, 50)"},
        {"stepped": "pass", "epochs": "range(45)"},
    ),
    "a warm-up that gives rates": (
        "lambda-returns-lr",
        f"""{MADE}

def warmed(epoch):
    return {{base}} * min(1.0, (epoch + 1) / args.warmup)


schedule = lr_scheduler.LambdaLR(optimizer, warmed)
for epoch in range(args.epochs):{BATCHES}
    schedule.step()
""",
        {"base": "0.5"},
        {"base": "args.lr"},
    ),
    "a factor of a warm-up that is the rate by chance": (
        "lambda-returns-lr",
        f"""{MADE}
rate, lowest = 0.001, 0.001
optimizer = torch.optim.SGD(net.parameters(), lr=rate)


def warmed(step):
    if step >= 1000:
        return {{last}}
    return lowest * (1 - step / 1000) + step / 1000 * {{last}}


schedule = lr_scheduler.LambdaLR(optimizer, warmed)
for epoch in range(args.epochs):{BATCHES}
    schedule.step()
""",
        {"last": "1"},
        {"last": "rate"},
    ),
    "a decay that a setting chooses": (
        "scheduler-length-mismatch",
        f"""{MADE}
if args.decay == "cosine":
    falling = lr_scheduler.CosineAnnealingLR(optimizer, T_max={{length}})
elif args.decay == "exponential":
    falling = lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
else:
    falling = lr_scheduler.StepLR(optimizer, 30)
schedule = lr_scheduler.SequentialLR(optimizer, [{RISING}, falling], milestones=[args.warmup])
for epoch in range(args.epochs):{BATCHES}
    schedule.step()
""",
        {"length": "args.epochs - args.warmup"},
        {"length": "args.epochs"},
    ),
    "a decay that is as long as the run where nothing is before it": (
        "scheduler-length-mismatch",
        f"""{MADE}
if args.warmup:
    falling = lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs - args.warmup)
else:
    falling = lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)
if {{asked}}:
    falling = lr_scheduler.SequentialLR(optimizer, [{RISING}, falling], milestones=[args.warmup])
for epoch in range(args.epochs):{BATCHES}
    falling.step()
""",
        {"asked": "args.warmup"},
        {"asked": "True"},
    ),
    "a record that is called a sample": (
        "unsharded-iterable-dataset",
        f"""{STREAMED}
    def __iter__(self):
        for row in open(self.path):
            {{sample}}
            yield sample


{READ}""",
        {"sample": "sample = self.waiting.sample()"},
        {"sample": "sample = [float(each) for each in row.split()]"},
    ),
    "a method that processes": (
        "unsharded-iterable-dataset",
        f"""{STREAMED}
    def process(self, row):
        return [float(each) for each in row.split()]

    def __iter__(self):
        for at, row in enumerate(open(self.path)):
            if {{mine}}:
                yield self.process(row)


{READ}""",
        {"mine": "at % self.process_count == self.process_index"},
        {"mine": "at"},
    ),
    "a function of another module that is called as a variable is": (
        "unsharded-iterable-dataset",
        f"""
{{imported}}
{STREAMED}
    def parsed(self, row):
        sample = [float(each) for each in row.split()]
        return sample

    def __iter__(self):
        for row in {{rows}}:
            yield self.parsed(row)


{READ}""",
        {"imported": "from random import sample", "rows": "sample([*open(self.path)], 9)"},
        {"imported": "", "rows": "[*open(self.path)]"},
    ),
    "a function of rates that says what it gives": (
        "lambda-returns-lr",
        f"""{MADE}

def halved(epoch):
    value = {{base}} * 0.5 ** (epoch // 10)
    print("epoch", epoch, value)
    return value


schedule = lr_scheduler.LambdaLR(optimizer, halved)
for epoch in range(args.epochs):{BATCHES}
    schedule.step()
""",
        {"base": "1.0"},
        {"base": "args.lr"},
    ),
    "a function that has another object change what it reads": (
        "lambda-returns-lr",
        f"""{MADE}

class Scale:
    value = 1.0

    def begin(self):
        self.value = 1 / args.lr


scale = Scale()


def halved(epoch):
    {{begun}}
    return args.lr * scale.value * 0.5 ** (epoch // 10)


schedule = lr_scheduler.LambdaLR(optimizer, halved)
for epoch in range(args.epochs):{BATCHES}
    schedule.step()
""",
        {"begun": "scale.begin()"},
        {"begun": "print(epoch)"},
    ),
    "a function of rates that goes through milestones": (
        "lambda-returns-lr",
        f"""{MADE}
milestones = [30, 60]


def lowered(epoch):
    value = args.lr
    for milestone in milestones:
        if epoch >= milestone:
            value *= 0.1
    for part in {{parts}}:
        value /= part
    return value


schedule = lr_scheduler.LambdaLR(optimizer, lowered)
for epoch in range(args.epochs):{BATCHES}
    schedule.step()
""",
        {"parts": "[args.lr, 2]"},
        {"parts": "[2]"},
    ),
    "a function of rates that is computed by numpy": (
        "lambda-returns-lr",
        f"""
import numpy as np
{MADE}

def lowered(epoch):
    return np.maximum({{base}} * np.power(0.5, np.floor(epoch / 10)), 1e-4)


schedule = lr_scheduler.LambdaLR(optimizer, lowered)
for epoch in range(args.epochs):{BATCHES}
    schedule.step()
""",
        {"base": "1.0"},
        {"base": "args.lr"},
    ),
    "a schedule of the project's own class": (
        "scheduler-cadence",
        f"""{MADE}

class Fading(lr_scheduler.LRScheduler):
    def __init__(self, optimizer, warmup, length, last_epoch=-1):
        self.warmup, self.length = warmup, length
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [rate * (1 - self.last_epoch / self.length) ** 0.9 for rate in self.base_lrs]


schedule = Fading(optimizer, args.warmup, {{length}})
for epoch in range(args.epochs):{BATCHES}
    schedule.step()
""",
        {"length": "args.epochs"},
        {"length": "args.epochs * len(LOADER)"},
    ),
    "a schedule of the project's own class that steps in its own way": (
        "scheduler-cadence",
        f"""{MADE}

class Fading(lr_scheduler.LRScheduler):
    def __init__(self, optimizer, length, last_epoch=-1):
        self.length = length
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [rate * (1 - self.last_epoch / self.length) ** 0.9 for rate in self.base_lrs]

    def {{method}}(self):
        self.last_epoch += len(LOADER) - 1
        super().step()


schedule = Fading(optimizer, args.epochs * len(LOADER))
for epoch in range(args.epochs):{BATCHES}
    schedule.step()
""",
        {"method": "step"},
        {"method": "steps"},
    ),
    "the last of the metrics that are kept": (
        "plateau-mode-mismatch",
        f"""{MADE}
schedule = lr_scheduler.ReduceLROnPlateau(optimizer, mode="{{mode}}")
history = {{{{"loss": [], "accuracy": []}}}}
for epoch in range(args.epochs):{BATCHES}
    history["accuracy"].append(measured(net, TEST_LOADER))
    schedule.step(history["accuracy"][-1])
""",
        {"mode": "max"},
        {"mode": "min"},
    ),
}


EVERY_FEW = """
parser = argparse.ArgumentParser()
parser.add_argument("--every", type=int)
args = parser.parse_args()
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
for epoch in range({begin}, 30):
    if epoch {ends}:
        schedule.step()
    for i, (x, y) in enumerate(LOADER):
        (nn.functional.mse_loss(net(x), y) / args.every).backward()
        if (i + 1) % args.every == 0:
            optimizer.step()
            optimizer.zero_grad()
"""
TWINS |= {
    f"a schedule of every few epochs, counted from {begin}": (
        "scheduler-before-optimizer",
        EVERY_FEW,
        {"begin": str(begin), "ends": right},
        {"begin": str(begin), "ends": wrong},
    )
    for begin, right, wrong in (
        (0, "% args.every == args.every - 1", "% args.every == 0"),
        (1, "% args.every == 0", "% args.every == 1"),
        (0, "% 5 == 4", "% 5 == 0"),
        (2, "% 5 == 0", "% 2 == 0"),
    )
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)

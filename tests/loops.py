"""Training programs put together from the ways in which people write them, right and wrong: a small grammar, as text.

What is wrong in a program is known by its plan, so `right` is the program that its author meant: what fixes make of the one has
to compute what the other does. A few are mended and run by the tests; `python tests/loops.py 2000 --seed 3` does so with many,
and shows the smallest for which something does not hold.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from textwrap import indent
from typing import Any

import torch
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from loopcheck import packs
from loopcheck.write.apply import mend

HEAD = """\
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, RandomSampler, TensorDataset

K, CLIP, EVALUATE, DISTRIBUTED, AMP = 2, *(f"NO_{name}" not in os.environ for name in ("CLIP", "EVALUATION", "DDP", "AMP"))
torch.manual_seed(0)
x, y = torch.randn(40, 6), torch.randint(0, 3, (40,))
train_set, held_out = TensorDataset(x[:32], y[:32]), TensorDataset(x[32:], y[32:])
"""


@dataclass(frozen=True)
class Plan:
    """What a program is made of. The first choice of each is right; `WRONG` says which of the others are not."""

    layout: str = "script"
    epochs: str = "for epoch"
    batches: str = "enumerate"
    sampler: str = "none"
    told: str = "sampler"
    window: str = "none"
    divided: str = "before"
    zero: str = "top"
    scaler: str = "none"
    scaled: str = "yes"
    unscale: str = "yes"
    update: str = "yes"
    clip: str = "none"
    clipped: str = "before step"
    scheduler: str = "none"
    scheduled: str = "after"
    evaluation: str = "none"
    mode: str = "own"
    graph: str = "decorator"
    restored: str = "top"
    between: str = "nothing"
    spelled: str = "lines"


CHOICES = {
    "layout": ("script", "function", "class"),
    "epochs": ("for epoch", "for _", "while", "for in try"),
    "batches": ("enumerate", "for", "zip", "with"),
    "sampler": ("none", "distributed", "optional", "random or distributed", "in helper"),
    "told": ("sampler", "no", "constant"),
    "window": ("none", "counted", "flag", "tail"),
    "divided": ("before", "in backward", "no"),
    "zero": ("top", "after step", "no", "between", "micro"),
    "scaler": ("none", "always", "optional", "disabled"),
    "scaled": ("yes", "no", "step only"),
    "unscale": ("yes", "no", "late"),
    "update": ("yes", "no", "each epoch"),
    "clip": ("none", "norm", "value", "flag", "helper", "commented"),
    "clipped": ("before step", "after step", "before backward", "micro"),
    "scheduler": ("none", "batch", "epoch", "plateau"),
    "scheduled": ("after", "before"),
    "evaluation": ("none", "function", "inline", "flag", "yielding", "comprehension", "twice", "early"),
    "mode": ("own", "no"),
    "graph": ("decorator", "with", "no"),
    "restored": ("top", "after", "no"),
    "between": ("nothing", "log lr", "log norm", "print"),
    "spelled": ("lines", "one line", "suites"),
}

WRONG = {
    "told": ("no", "constant"),
    "divided": ("no",),
    "zero": ("no", "between", "micro"),
    "scaled": ("no", "step only"),
    "unscale": ("no", "late"),
    "update": ("no", "each epoch"),
    "clipped": ("after step", "before backward", "micro"),
    "scheduled": ("before",),
    "mode": ("no",),
    "graph": ("no",),
    "restored": ("no",),
}


@st.composite
def plans(draw: st.DrawFn, most: int = 3) -> Plan:
    """Any shape, with up to `most` things wrong."""
    shape = {name: draw(st.sampled_from(each)) for name, each in CHOICES.items() if name not in WRONG}
    right = {name: draw(st.sampled_from([way for way in CHOICES[name] if way not in wrong])) for name, wrong in WRONG.items()}
    spoiled = draw(st.lists(st.sampled_from(sorted(WRONG)), min_size=1, max_size=most, unique=True))
    wrong = {name: draw(st.sampled_from(WRONG[name])) for name in spoiled}
    if shape["epochs"] == "for _" and shape["sampler"] != "none":
        wrong["told"] = "no"  # a sampler cannot be told what has no name
    return Plan(**{**shape, **right, **wrong})


def right(plan: Plan) -> Plan:
    """The same program with nothing wrong."""
    mended = {name: CHOICES[name][0] for name, wrong in WRONG.items() if getattr(plan, name) in wrong}
    return replace(plan, **mended, epochs="for epoch" if plan.epochs == "for _" and "told" in mended else plan.epochs)


def described(plan: Plan) -> str:
    """What is not the first choice, for a person."""
    own = {each.name: getattr(plan, each.name) for each in fields(plan)}
    return ", ".join(f"{name}={way!r}" for name, way in own.items() if way != CHOICES[name][0])


def program(plan: Plan) -> str:
    """The plan as a program that leaves the weights and statistics that it ends with in `ended`."""
    return _Writer(plan).program()


def _block(header: str, *body: str) -> str:
    return f"{header}\n" + indent("\n".join(filter(None, body)) or "pass", "    ")


class _Writer:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.own = "self." if plan.layout == "class" else ""
        for name in ("model", "optimizer", "scaler", "scheduler", "loader", "held", "sampler"):
            setattr(self, name, f"{self.own}{name}")

    model: str
    optimizer: str
    scaler: str
    scheduler: str
    loader: str
    held: str
    sampler: str

    def program(self) -> str:
        plan = self.plan
        parts = [HEAD, *self.helpers()]
        if plan.layout == "script":
            parts += [self.made(), self.trained(), "network = model"]
        elif plan.layout == "function":
            parts += [_block("def main():", self.made(), self.trained(), "return model"), "network = main()"]
        else:
            made = _block("def __init__(self):", self.made())
            methods = indent("\n\n".join([made, _block("def fit(self):", self.trained())]), "    ")
            parts += [f"class Trainer:\n{methods}", "trainer = Trainer()\ntrainer.fit()\nnetwork = trainer.model"]
        return "\n\n".join(parts) + "\nended = [each.clone() for each in network.state_dict().values()]\n"

    def helpers(self) -> list[str]:
        plan = self.plan
        found = []
        if plan.clip == "helper":
            found.append(_block("def limit(network):", "nn.utils.clip_grad_norm_(network.parameters(), 0.1)"))
        if plan.sampler == "in helper":
            made = "sampler = DistributedSampler(dataset, num_replicas=2, rank=0) if distributed else None"
            loader = "return DataLoader(dataset, batch_size=4, sampler=sampler, shuffle=sampler is None), sampler"
            found.append(_block("def build(dataset, distributed):", made, loader))
        if plan.evaluation in ("function", "flag", "yielding", "comprehension", "twice"):
            found.append(self.evaluator())
        return found

    def evaluator(self) -> str:
        plan = self.plan
        own = "network.eval()" if plan.mode == "own" else ""
        if plan.evaluation == "yielding":
            return _block("def predictions(network, batches):", own, _block("for inputs, _ in batches:", "yield network(inputs)"))
        if plan.evaluation == "comprehension":
            hits = "hits = sum((network(a).argmax(1) == b).sum().item() for a, b in batches)"
        else:
            hits = _block("for a, b in batches:", "hits += (network(a).argmax(1) == b).sum().item()")
        start = "" if plan.evaluation == "comprehension" else "hits = 0"
        early = _block("if not batches:", "return 0") if plan.evaluation == "twice" else ""
        body = _block("with torch.no_grad():", hits) if plan.graph == "with" else hits
        decorated = "@torch.no_grad()\n" if plan.graph == "decorator" else ""
        return decorated + _block("def evaluate(network, batches):", early, own, start, body, "return hits")

    def made(self) -> str:
        plan, own = self.plan, self.own
        lines = [
            f"{self.model} = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 3))",
            f"{self.optimizer} = torch.optim.SGD({self.model}.parameters(), lr=0.5)",
            f"{self.held} = DataLoader(held_out, batch_size=4)",
        ]
        made = "DistributedSampler(train_set, num_replicas=2, rank=0)"
        match plan.sampler:
            case "none":
                lines.append(f"{self.loader} = DataLoader(train_set, batch_size=4, shuffle=True)")
            case "in helper":
                lines.append(f"{self.loader}, {self.sampler} = build(train_set, DISTRIBUTED)")
            case _:
                other = {"optional": " if DISTRIBUTED else None"}.get(plan.sampler, "")
                if plan.sampler == "random or distributed":
                    lines.append(_block("if DISTRIBUTED:", f"{self.sampler} = {made}"))
                    lines.append(_block("else:", f"{self.sampler} = RandomSampler(train_set)"))
                else:
                    lines.append(f"{self.sampler} = {made}{other}")
                lines.append(f"{self.loader} = DataLoader(train_set, batch_size=4, sampler={self.sampler})")
        if plan.scaler != "none":
            enabled = ", enabled=False" if plan.scaler == "disabled" else ""
            optional = " if AMP else None" if plan.scaler == "optional" else ""
            lines.append(f'{self.scaler} = torch.amp.GradScaler("cpu", init_scale=64.0{enabled}){optional}')
        match plan.scheduler:
            case "batch" | "epoch":
                schedule = "torch.optim.lr_scheduler.ExponentialLR"
                lines.append(f"{self.scheduler} = {schedule}({self.optimizer}, gamma=0.7)")
            case "plateau":
                lines.append(f"{self.scheduler} = torch.optim.lr_scheduler.ReduceLROnPlateau({self.optimizer}, patience=0)")
        return "\n".join([*lines, f"{own}best = 0"])

    def trained(self) -> str:
        plan = self.plan
        epoch = self.epoch()
        match plan.epochs:
            case "for _":
                return _block("for _ in range(3):", epoch)
            case "while":
                return "epoch = 0\n" + _block("while epoch < 3:", epoch, "epoch += 1")
            case "for in try":
                return _block("try:", _block("for epoch in range(3):", epoch)) + "\n" + _block("finally:", f"{self.own}best += 1")
        return _block("for epoch in range(3):", epoch)

    def epoch(self) -> str:
        plan = self.plan
        lines = [f"{self.model}.train()"] if plan.restored == "top" else []
        lines += [self.schedule()] if plan.scheduler in ("epoch", "plateau") and plan.scheduled == "before" else []
        counted = "epoch" if plan.epochs != "for _" else "0"
        if plan.sampler != "none" and plan.told != "no" and plan.epochs != "for _":
            telling = f"{self.sampler}.set_epoch({counted if plan.told == 'sampler' else 0})"
            tests = {"optional": f"if {self.sampler} is not None:", "in helper": f"if {self.sampler} is not None:"}
            tests["random or distributed"] = "if DISTRIBUTED:"
            lines.append(_block(tests[plan.sampler], telling) if plan.sampler in tests else telling)
        batch = self.batch()
        match plan.batches:
            case "for" if plan.window == "none":
                lines.append(_block(f"for inputs, targets in {self.loader}:", batch))
            case "zip":
                lines.append(_block(f"for i, (inputs, targets) in zip(range(100), {self.loader}):", batch))
            case "with":
                inner = _block('with torch.autocast("cpu", enabled=False):', batch)
                lines.append(_block(f"for i, (inputs, targets) in enumerate({self.loader}):", inner))
            case _:
                lines.append(_block(f"for i, (inputs, targets) in enumerate({self.loader}):", batch))
        lines += [f"{self.scaler}.update()"] if plan.update == "each epoch" and plan.scaler == "always" else []
        lines += [self.schedule()] if plan.scheduler in ("epoch", "plateau") and plan.scheduled == "after" else []
        lines += self.evaluation()
        return "\n".join(lines)

    def batch(self) -> str:
        """The statements on one batch, in their order."""
        plan = self.plan
        zero = f"{self.optimizer}.zero_grad()"
        windowed = plan.window != "none"
        lines = [zero] if (plan.zero == "top" and not windowed) or plan.zero == "micro" else []
        lines.append(f"outputs = {self.model}(inputs)")
        lines.append("loss = nn.functional.cross_entropy(outputs, targets)")
        lines += ["loss = loss / K"] if windowed and plan.divided == "before" else []
        lines += [self.clip()] if plan.clip != "none" and plan.clipped == "before backward" else []
        share = "(loss / K)" if windowed and plan.divided == "in backward" else "loss"
        lines.append(self.backward(share))
        lines += [self.clip()] if plan.clip != "none" and plan.clipped == "micro" else []
        end = [zero] if plan.zero == "between" else []
        end += self.step()
        end += [zero] if plan.zero == "after step" or (windowed and plan.zero == "top") else []
        if plan.scheduler == "batch":
            end = [*end, self.schedule()] if plan.scheduled == "after" else [self.schedule(), *end]
        match plan.window:
            case "none":
                lines += end
            case "flag":
                lines += ["full = (i + 1) % K == 0", _block("if full:", *end)]
            case "tail":
                lines.append(_block(f"if (i + 1) % K == 0 or i + 1 == len({self.loader}):", *end))
            case _:
                lines.append(_block("if (i + 1) % K == 0:", *end))
        return "\n".join(lines)

    def backward(self, share: str) -> str:
        plan = self.plan
        plain = f"{share}.backward()"
        scaled = plain if plan.scaled == "no" else f"{self.scaler}.scale({share.strip('()')}).backward()"
        match plan.scaler:
            case "none":
                return plain
            case "optional":
                return _block(f"if {self.scaler} is not None:", scaled) + "\n" + _block("else:", plain)
        return scaled

    def step(self) -> list[str]:
        plan = self.plan
        early = [self.clip()] if plan.clip != "none" and plan.clipped == "before step" else []
        late = [self.clip()] if plan.clip != "none" and plan.clipped == "after step" else []
        logged = {
            "log lr": [f'print({self.optimizer}.param_groups[0]["lr"])'],
            "log norm": [f"print(sum(p.grad.norm() for p in {self.model}.parameters() if p.grad is not None))"],
            "print": ["print(loss.item())"],
        }.get(plan.between, [])
        plain = f"{self.optimizer}.step()"
        unscale = f"{self.scaler}.unscale_({self.optimizer})"
        stepped = plain if plan.scaled == "step only" else f"{self.scaler}.step({self.optimizer})"
        before = [unscale] if plan.clip != "none" and plan.unscale == "yes" and plan.clipped != "micro" else []
        after = [unscale] if plan.clip != "none" and plan.unscale == "late" and plan.clipped == "before step" else []
        update = [f"{self.scaler}.update()"] if plan.update == "yes" and plan.scaled != "step only" else []
        match plan.scaler:
            case "none":
                return self.spelled([*early, plain, *logged, *late])
            case "optional":
                scaled = [*before, *early, *after, stepped, *logged, *late, *update]
                return [
                    _block(f"if {self.scaler} is not None:", *self.spelled(scaled)),
                    _block("else:", *early, plain, *logged, *late),
                ]
        return self.spelled([*before, *early, *after, stepped, *logged, *late, *update])

    def spelled(self, lines: list[str]) -> list[str]:
        """Simple statements as they may stand."""
        if self.plan.spelled == "lines" or any("\n" in line or "#" in line for line in lines):
            return lines
        return ["; ".join(lines)] if self.plan.spelled == "one line" else [f"if CLIP: {'; '.join(lines)}"]

    def clip(self) -> str:
        call = f"nn.utils.clip_grad_norm_({self.model}.parameters(), 0.1)"
        match self.plan.clip:
            case "value":
                return f"nn.utils.clip_grad_value_({self.model}.parameters(), clip_value=0.01)"
            case "flag":
                return _block("if CLIP:", call)
            case "helper":
                return f"limit({self.model})"
            case "commented":
                return f"# keep it small\n{call}  # limit"
        return call

    def schedule(self) -> str:
        return f"{self.scheduler}.step({'1.0' if self.plan.scheduler == 'plateau' else ''})"

    def evaluation(self) -> list[str]:
        plan = self.plan
        after = [f"{self.model}.train()"] if plan.restored == "after" else []
        call = f"evaluate({self.model}, {self.held})"
        match plan.evaluation:
            case "none":
                return []
            case "flag":
                return [_block("if EVALUATE:", f"{self.own}best = max({self.own}best, {call})", *after)]
            case "twice":
                return [f"{self.own}best = max({call}, {call})", *after]
            case "yielding":
                return [_block(f"for output in predictions({self.model}, {self.held}):", "print(output.mean().item())"), *after]
            case "inline" | "early":
                own = [f"{self.model}.eval()"] if plan.mode == "own" else []
                skip = [_block("if a.size(0) < 2:", "continue")] if plan.evaluation == "early" else []
                each = _block(
                    f"for a, b in {self.held}:", *skip, f"print(({self.model}(a).argmax(1) == b).float().mean().item())"
                )
                return [*own, each if plan.graph == "no" else _block("with torch.no_grad():", each), *after]
        return [f"{self.own}best = max({self.own}best, {call})", *after]


# --- what has to hold

MENDS = {
    "told": {"missing-set-epoch"},
    "divided": {"unscaled-accumulation-loss"},
    "zero": {"missing-zero-grad", "zero-grad-discards-gradients", "accumulation-defeated"},
    "scaled": {"unscaled-backward", "optimizer-step-bypasses-scaler"},
    "unscale": {"clip-scaled-gradients"},
    "update": {"missing-scaler-update", "optimizer-step-bypasses-scaler"},
    "clipped": {"clip-after-step", "clip-before-backward", "clip-partial-accumulation"},
    "scheduled": {"scheduler-before-optimizer"},
    "mode": {"missing-eval-mode"},
    "graph": {"missing-no-grad"},
    "restored": {"missing-train-restore"},
}
"""The rules whose fixes undo what is wrong."""


def ran(text: str) -> tuple[str, list[torch.Tensor]]:
    """What a program raises, and the weights and statistics with which it ends."""
    names: dict[str, Any] = {}
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, "program.py", "exec"), names)
    except Exception as error:
        return f"{type(error).__name__}: {error}", []
    return "", names["ended"]


def hold(plan: Plan) -> None:
    """Safe fixes of a program add no error, leave nothing to do for a second run, and bring the right one's numbers."""
    text, rules = program(plan), packs.rules()
    mended = mend(text.encode(), "program.py", rules)
    if not mended.applied:
        return
    after = mended.data.decode()
    shown = "".join(difflib.unified_diff(text.splitlines(True), after.splitlines(True), described(plan), "mended", n=8))
    before_raised, _ = ran(text)
    raised, numbers = ran(after)
    assert raised in ("", before_raised), f"{raised}\n{shown}"
    assert mend(mended.data, "program.py", rules).data == mended.data, f"mended twice, it changes again\n{shown}"
    done, left = ({found.rule.name for found in several} for several in (mended.applied, mended.report.findings))
    meant = right(plan)
    undone = [name for name in WRONG if getattr(plan, name) != getattr(meant, name) and not MENDS[name] & (done - left)]
    if not undone and not raised:
        _, wanted = ran(program(meant))
        assert all(map(torch.equal, numbers, wanted)), f"other numbers than where nothing was wrong\n{shown}"


def held(many: int, most: int, begin: int | None = None) -> Callable[[], None]:
    """A check of so many programs, with up to `most` things wrong in each; the same ones each time, or those of a beginning."""
    check = given(plans(most))(hold)
    quiet = settings(
        max_examples=many,
        derandomize=begin is None,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    return quiet(check if begin is None else seed(begin)(check))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("many", nargs="?", type=int, default=500, metavar="N", help="programs (default %(default)s)")
    parser.add_argument("--wrong", type=int, default=3, metavar="N", help="things wrong in each at most (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="where to begin")
    asked = parser.parse_args()
    held(asked.many, asked.wrong, asked.seed)()
    print(f"{asked.many} programs, mended and run: all holds")


if __name__ == "__main__":
    sys.exit(main())  # type: ignore[func-returns-value]

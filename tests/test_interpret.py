"""What the reader makes of small programs: their events in order, one line of a table for each thing it promises."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest
from worth import read, told, value_of

from loopcheck.loop import Event, Region, Seq, events
from loopcheck.loop import Test as Condition
from loopcheck.loop import tests as conditions
from loopcheck.read.library import Library
from loopcheck.read.program import Program

HEAD = """\
import contextlib
import torch
from torch import nn
from torch.utils.data import DataLoader
from somewhere import Base, call, log, make, wrap

model = nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters())
scaler = torch.cuda.amp.GradScaler()
loader = DataLoader(make())
"""


def program(code: str, head: str = HEAD) -> Program:
    return read(head + dedent(code))[1]


def after_head(entry: Region, head: str = HEAD) -> Region:
    """What follows the events of the head."""
    begun = len(_parts(program("").entries[0].body))
    return Seq(_parts(entry)[begun:])


def _parts(region: Region) -> tuple[Region, ...]:
    """The parts of the script itself; before it stands what its imports do."""
    assert isinstance(region, Seq)
    script = region.parts[-1]
    assert isinstance(script, Seq)
    return script.parts


@dataclass(frozen=True)
class Case:
    """A promise. facts: those that are told."""

    code: str
    events: str
    facts: tuple[str, ...] = ()


CASES = {
    "one after the other": Case("optimizer.step()\noptimizer.zero_grad()", "step(optimizer) zero_grad(optimizer)"),
    "a test that is not known is a branch": Case(
        "if k:\n    optimizer.step()\nelse:\n    model.train()", "[k: step(optimizer) | train(model)]"
    ),
    "one that is known is none": Case("if 1 > 2:\n    optimizer.step()\nelse:\n    model.train()", "train(model)"),
    "arms that do the same at one place are no branch": Case(
        """
        def update():
            optimizer.step()
        if k:
            x = 1
        else:
            x = 2
        update()
        """,
        "(step(optimizer))",
    ),
    "after an arm that leaves the other outcome holds": Case(
        """
        def update(flag):
            if flag:
                return
            if not flag:
                optimizer.step()
        update(k)
        """,
        "([k: return] step(optimizer))",
    ),
    "finally runs before a return": Case(
        """
        def update(flag):
            try:
                if flag:
                    return
                optimizer.zero_grad()
            finally:
                optimizer.step()
        update(k)
        """,
        "([k: step(optimizer) return] zero_grad(optimizer) step(optimizer))",
    ),
    "the innermost finally first": Case(
        """
        def update(flag):
            try:
                try:
                    return
                finally:
                    optimizer.zero_grad()
            finally:
                optimizer.step()
        update(k)
        """,
        "(zero_grad(optimizer) step(optimizer) return)",
    ),
    "a call has finals of its own": Case(
        """
        def inner():
            model.train()
            return
        def update(flag):
            try:
                inner()
            finally:
                optimizer.step()
        update(k)
        """,
        "((train(model) return) step(optimizer))",
    ),
    "a handler may run": Case(
        """
        try:
            optimizer.step()
        except ValueError:
            optimizer.zero_grad()
        else:
            model.train()
        """,
        "step(optimizer) [raises: zero_grad(optimizer)] train(model)",
    ),
    "the main guard of the script": Case("if __name__ == '__main__':\n    optimizer.step()", "step(optimizer)"),
    "code out of sight may do anything": Case("call(optimizer)", "escape(optimizer)"),
    "a name may promise that it does not": Case("log(optimizer)", ""),
    "to what an object holds": Case(
        """
        class Holder:
            def __init__(self, held):
                self.held = [held]
        call(Holder(optimizer))
        """,
        "escape(optimizer)",
    ),
    "to what a base out of sight is given": Case(
        """
        class Holder(Base):
            def __init__(self, held):
                self.held = held
        Holder(optimizer).advance()
        """,
        "escape(optimizer)",
    ),
    "a function that is handed out is called": Case(
        """
        def update():
            optimizer.step()
        call([update])
        """,
        "(step(optimizer))",
    ),
    "under the test that chose it": Case(
        """
        def update():
            optimizer.step()
        def other():
            optimizer.zero_grad()
        call(update if k else other)
        """,
        "[k: (step(optimizer)) | (zero_grad(optimizer))]",
    ),
    "a closure runs in the step": Case(
        """
        def closure():
            optimizer.zero_grad()
        optimizer.step(closure)
        """,
        "(zero_grad(optimizer)) step(optimizer)",
    ),
    "a function sees the variables of the call that made it when that is over": Case(
        """
        def made(steps):
            inner = torch.optim.Adam(model.parameters())
            def closure():
                if steps:
                    inner.step()
            return closure
        made(k)()
        """,
        "(build(inner) return) ([k: step(inner)])",
    ),
    "a class sees the variables of the call that made it when that is over": Case(
        """
        def made():
            inner = torch.optim.Adam(model.parameters())
            class Runner:
                def run(self):
                    inner.step()
            return Runner
        made()().run()
        """,
        "(build(inner) return) (step(inner))",
    ),
    "an exit stack runs from its end": Case(
        """
        with contextlib.ExitStack() as stack:
            stack.callback(optimizer.zero_grad)
            if k:
                stack.callback(optimizer.step)
            model.train()
        """,
        "train(model) [k: step(optimizer)] zero_grad(optimizer)",
    ),
    "a body runs where its manager yields": Case(
        """
        @contextlib.contextmanager
        def around():
            model.train()
            yield
            optimizer.zero_grad()
        with around():
            optimizer.step()
        """,
        "(train(model) step(optimizer) zero_grad(optimizer))",
    ),
    "a return in it leaves the function around": Case(
        """
        @contextlib.contextmanager
        def around():
            yield
        def update():
            with around():
                optimizer.step()
                return
            optimizer.zero_grad()
        update()
        """,
        "(((step(optimizer) return)) return)",
    ),
    "what its manager does at last is done before": Case(
        """
        @contextlib.contextmanager
        def around():
            yield
            model.train()
        def update():
            with around():
                if k:
                    return
                optimizer.step()
        update()
        """,
        "((([k: return] step(optimizer)) train(model)))",
    ),
    "a manager that never yields is none": Case(
        """
        @contextlib.contextmanager
        def around():
            pass
        with around():
            optimizer.step()
        """,
        "step(optimizer)",
    ),
    "a loop is read once": Case("for x in loader:\n    optimizer.step()", "iterate(loader) {step(optimizer)}"),
    "its else comes after it": Case(
        "for x in loader:\n    optimizer.step()\nelse:\n    model.train()", "iterate(loader) {step(optimizer)} train(model)"
    ),
    "unless it is broken off": Case(
        "for x in loader:\n    if k:\n        break\nelse:\n    model.train()", "iterate(loader) {[k: break]} else train(model)"
    ),
    "which its else may do to a loop around": Case(
        """
        for x in loader:
            for y in k:
                if y:
                    break
            else:
                break
            optimizer.step()
        """,
        "iterate(loader) {{[y: break]} else break step(optimizer)}",
    ),
    "finally runs before a jump, as far as it is in the loop": Case(
        """
        try:
            for x in loader:
                try:
                    break
                finally:
                    optimizer.zero_grad()
        finally:
            optimizer.step()
        """,
        "iterate(loader) {zero_grad(optimizer) break} step(optimizer)",
    ),
    "a jump in a with is one of the loop around": Case(
        """
        @contextlib.contextmanager
        def around():
            yield
        for x in loader:
            with around():
                if k:
                    trained = model
                    break
                trained = None
            optimizer.step()
        trained.train()
        """,
        "iterate(loader) {([k: break]) step(optimizer)} [k: train(model)]",
    ),
    "a loop over parameters that is left is left alone": Case(
        """
        for x in loader:
            for p in model.parameters():
                if k:
                    break
                p.grad.mul_(2)
            optimizer.step()
        """,
        "iterate(loader) {{[k: break] edit(model) break} step(optimizer)}",
    ),
    "and one over them that goes on is over once": Case(
        "for p in model.parameters():\n    if k:\n        continue\n    p.grad.mul_(2)", "{[k: break] edit(model) break}"
    ),
    "what is chosen before a break is what follows the loop": Case(
        """
        for x in loader:
            if k:
                trained = torch.optim.SGD(model.parameters())
                break
            trained = optimizer
        trained.step()
        """,
        "iterate(loader) {[k: build(trained) break]} [k: step(trained) | step(optimizer)]",
    ),
    "a loop over known objects is not one": Case(
        "for each in (optimizer, model):\n    each.zero_grad()", "zero_grad(optimizer) zero_grad(model)"
    ),
    "what clears gradients has some": Case("engine = make()\nengine.state.zero_grad()", "zero_grad(?)"),
    "a method by its name": Case("opt = make()\nopt.zero_grad()\ngetattr(opt, 'step')()", "zero_grad(opt) step(opt)"),
    "unless it is left": Case("for each in (optimizer, model):\n    break", "{break}"),
    "a word may be a key": Case("for each in ('train', 'val'):\n    optimizer.step()", "step(optimizer) step(optimizer)"),
    "a sentence is none": Case("for each in ('Say hello', 'Say no'):\n    optimizer.step()", "{step(optimizer)}"),
    "a loop that never runs": Case("while False:\n    optimizer.step()", ""),
    "what is evaluated is evaluated once": Case("for x in DataLoader(make()):\n    pass", "build(?) iterate(?)"),
    "what a loop binds is no constant in it": Case(
        """
        first = True
        for x in loader:
            if first:
                optimizer.zero_grad()
            first = False
        """,
        "iterate(loader) {[first: zero_grad(optimizer)]}",
    ),
    "nor of an object": Case(
        """
        class Trainer:
            def __init__(self):
                self.first = True
            def fit(self):
                for x in loader:
                    if self.first:
                        optimizer.zero_grad()
                    self.first = False
        Trainer().fit()
        """,
        "(iterate(loader) {[first: zero_grad(optimizer)]})",
    ),
    "every number is divisible by one": Case(
        "for i in range(9):\n    if i % 1 == 0:\n        optimizer.step()", "{step(optimizer)}"
    ),
    "and leaves no rest": Case("for i in range(9):\n    if i % 1 == 1:\n        optimizer.step()", ""),
    "a default is evaluated where the function is defined": Case(
        """
        def update(optimizer=torch.optim.SGD(model.parameters())):
            optimizer.step()
        update()
        update()
        """,
        "build(optimizer) (step(optimizer)) (step(optimizer))",
    ),
    "a function that calls itself is read once": Case(
        """
        def update(n):
            optimizer.step()
            update(n - 1)
        update(k)
        """,
        "(step(optimizer))",
    ),
    "an object that a function hands out has its methods": Case(
        """
        class Trainer:
            def __init__(self, steps):
                self.steps = steps
            def fit(self):
                optimizer.step()
        def of(steps):
            return Trainer(steps)
        of(2).fit()
        """,
        "(return) (step(optimizer))",
    ),
    "an optimizer of the project steps by those that it holds": Case(
        """
        class Wrapped(torch.optim.Optimizer):
            def __init__(self, inner):
                self.inner = inner
            def step(self):
                self.inner.step()
        Wrapped(optimizer).step()
        """,
        "(step(optimizer))",
    ),
    "or itself": Case(
        """
        class Own(torch.optim.Optimizer):
            def step(self):
                pass
        own = Own(model.parameters())
        own.step()
        """,
        "build(own) step(own)",
    ),
    "a loss through a model": Case(
        "loss = model(make())\nloss.backward()",
        "forward(model) backward(model, averaged=False, scaled=False)",
        ("averaged", "scaled"),
    ),
    "scaled and divided": Case(
        "loss = scaler.scale(model(make()) / k)\nloss.backward()",
        "forward(model) backward(model+scaler, averaged=True, scaled=True)",
        ("averaged", "scaled"),
    ),
    "hidden": Case("loss = wrap(model(make()))\nloss.backward()", "forward(model) backward(model)", ("averaged",)),
    "divided by a count of this pass's data": Case(
        "for x, n in loader:\n    (model(x) / n).backward()",
        "iterate(loader) {forward(model) backward(model, averaged=False)} else exhaust(loader+model)",
        ("averaged",),
    ),
    "replicas are their model": Case(
        """
        from torch.nn.parallel import gather, parallel_apply, replicate, scatter
        inputs = scatter(make(), [0, 1])
        replicas = replicate(model, [0, 1])
        outputs = parallel_apply(replicas[: len(inputs)], inputs)
        gather(outputs, 0).sum().backward()
        for each in outputs:
            each.mean().backward()
        replicas[1](inputs[1]).sum().backward()
        for each in replicas[1:]:
            each(make())
        """,
        "forward(model) backward(model) backward(model) forward(model) backward(model) {forward(model)}",
    ),
    "a model is applied on several devices at once": Case(
        "torch.nn.parallel.data_parallel(model, make(), [0, 1]).sum().backward()", "forward(model) backward(model)"
    ),
    "several models are applied, each to its part": Case(
        """
        from torch.nn.parallel.parallel_apply import parallel_apply
        from torch.nn.parallel.scatter_gather import gather, scatter_kwargs
        inputs, named = scatter_kwargs((make(),), {}, [0, 1])
        gather(parallel_apply([model, nn.Linear(2, 2)], inputs, named), 0).sum().backward()
        """,
        "build(?) forward(model) forward(?) backward(+model)",
    ),
    "who predicts by a method out of sight may set the mode": Case(
        """
        class Network(Base, nn.Module):
            def __init__(self):
                super().__init__()
                self.drop = nn.Dropout()
        network = Network()
        told = network.predict(make())
        coded = network.encode(make())
        """,
        "build(network) (build(self.drop)) forward(network, moded=False) forward(network, moded=True)",
        ("moded",),
    ),
    "a network that sums its loss by itself": Case(
        """
        class Network(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = nn.Linear(2, 2)
            def forward(self, x, y, reduction="sum"):
                return nn.functional.mse_loss(self.layer(x), y, reduction=reduction)
        network = Network()
        for i, (x, y) in enumerate(loader):
            network(x, y).backward()
        """,
        "build(network) (build(self.layer)) iterate(loader) {forward(network) backward(network)} else exhaust(loader+network)",
        ("averaged",),
    ),
    "dropout alone is no network": Case("noise = nn.Dropout(0.5)\nnoise(make())", "build(noise)"),
    "under no_grad": Case("with torch.no_grad():\n    model(make())", "forward(model, grad=False)", ("grad",)),
    "a function that is written with room gives a rate, too": Case(
        """
        lr = make()
        optim = torch.optim.SGD(model.parameters(), lr)
        torch.optim.lr_scheduler.LambdaLR(optim, lambda step:  lr * 0.9 ** step)
        """,
        "build(optim) build(?, twice=True)",
        ("twice",),
    ),
    "but not that of groups, which may have their own": Case(
        """
        lr = make()
        optim = torch.optim.SGD([{"params": model.parameters(), "lr": 0.1}], lr)
        torch.optim.lr_scheduler.LambdaLR(optim, lambda step:  lr * 0.9 ** step)
        """,
        "build(optim) build(?, twice=False)",
        ("twice",),
    ),
    "a schedule that adds what a checkpoint says goes on where it was": Case(
        """
        start = torch.load(make())["epoch"] + 1
        torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.9 ** (epoch + start))
        """,
        "build(?, resumed=True)",
        ("resumed",),
    ),
    "one that adds another number begins anew": Case(
        """
        warmup = 3
        torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.9 ** (epoch + warmup))
        """,
        "build(?, resumed=False)",
        ("resumed",),
    ),
    "a share that everybody leaves at 0 drops nothing": Case(
        """
        class Net(nn.Module):
            def __init__(self, width, share=0.0):
                self.drop = nn.Dropout(share)
            def forward(self, x):
                return nn.functional.dropout(x, self.drop.p)
        Net(2), Net(3, share=0)
        """,
        "build(?) (build(self.drop)) build(?) (build(self.drop))",
    ),
    "one that somebody hands a constructor does": Case(
        """
        class Net(nn.Module):
            def __init__(self, width, share=0.0):
                self.drop = nn.Dropout(share)
            def forward(self, x):
                return nn.functional.dropout(x, self.drop.p)
        Net(2), Net(3, 0.1)
        """,
        "drop(Net) build(?) (build(self.drop)) build(?) (build(self.drop))",
    ),
    "so may one of a class that nobody in sight makes an object of": Case(
        """
        class Net(nn.Module):
            def __init__(self, width, share=0.0):
                self.drop = nn.Dropout(share)
            def forward(self, x):
                return nn.functional.dropout(x, self.drop.p)
        """,
        "drop(Net)",
    ),
    "a loss from out of sight is of the optimizer that steps": Case(
        "optimizer.zero_grad()\nmake().backward()\noptimizer.step()",
        "zero_grad(optimizer) backward(optimizer) step(optimizer)",
    ),
    "unless another model's gradients are cleared for it": Case(
        "worker = nn.Linear(2, 2)\nworker.zero_grad()\nmake().backward()\noptimizer.step()",
        "build(worker) zero_grad(worker) backward(?) step(optimizer)",
    ),
    "what has no name, beside something else that has none": Case(
        """
        def validate(val_loader):
            for x in val_loader:
                make()[0](x)
        print(make().parameters())
        validate(loader)
        """,
        "(iterate(loader))",
    ),
    "where nobody knows whether it is on": Case(
        "with torch.set_grad_enabled(make()):\n    model(make())", "forward(model)", ("grad",)
    ),
    "a score of what was held out": Case(
        """
        def validate(val_loader):
            for x in val_loader:
                call(model(x))
        validate(loader)
        """,
        "(iterate(loader) {forward(model, validating=True)})",
        ("validating",),
    ),
    "the loss and the model, in hands that may adapt it": Case(
        """
        def validate(val_loader):
            for x in val_loader:
                call(model, model(x))
        validate(loader)
        """,
        "(iterate(loader) {forward(model) escape(model)})",
        ("validating",),
    ),
    "the loss and who holds the model, in hands that are told of both": Case(
        """
        class Net:
            def __init__(self, net):
                self.net = net
            def validate(self, val_loader):
                for x in val_loader:
                    call(self, self.net(x))
        Net(model).validate(loader)
        """,
        "(iterate(loader) {forward(model, validating=True) escape(model)})",
        ("validating",),
    ),
    "and after it": Case("with torch.no_grad():\n    pass\nmodel(make())", "forward(model, grad=True)", ("grad",)),
    "under a flag": Case(
        "with torch.set_grad_enabled(k == 1):\n    model(make())",
        "[k == 1: forward(model) | forward(model, grad=False)]",  # who may turn it off leaves it on for a reason
        ("grad",),
    ),
    "made of a class, where it is one": Case(
        """
        import inspect
        def run(model=None, width=4):
            if inspect.isclass(model):
                model = model(width)
            model.eval()
            model(make())
        for name in call.names:
            run(**call.options[name])
        """,
        "{([inspect.isclass(…): evaluate(made) | evaluate(model)] [inspect.isclass(…): forward(made) | forward(model)])}",
    ),
    "under a scope that nobody knows": Case(
        "with call.grad_scope():\n    model(make())", "evaluate(?) forward(model)", ("grad",)
    ),
    "by a decorator": Case(
        """
        @torch.no_grad()
        def evaluate():
            model(make())
        evaluate()
        model(make())
        """,
        "(forward(model, grad=False)) forward(model, grad=True)",
        ("grad",),
    ),
    "by being handed to a scope": Case(
        """
        def quietly():
            def decorate(function):
                return (torch.no_grad if call.old else torch.inference_mode)()(function)
            return decorate
        @quietly()
        def evaluate(net):
            net(make())
        evaluate(model)
        model(make())
        """,
        "(return) (return) (forward(model, grad=False)) forward(model, grad=True)",
        ("grad",),
    ),
    "switched off in a helper": Case(
        """
        def switch():
            torch.set_grad_enabled(False)
        switch()
        model(make())
        """,
        "forward(model, grad=False)",
        ("grad",),
    ),
    "a look at the mode is about to restore it": Case(
        "if model.training:\n    model.eval()", "[model.training: evaluate(model)] train(?) evaluate(?)"
    ),
    "a model that is handed in and handed back": Case("model = wrap(model)\nmodel(make())", "escape(model) forward(model)"),
    "model.forward is one forward of the whole": Case(
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = nn.Linear(2, 2)
            def forward(self, x):
                return call(self.inner, x)
        net = Net()
        net.forward(make())
        """,
        "build(net) (build(self.inner)) forward(net)",
    ),
    "a criterion of the project computes in place": Case(
        """
        class Loss(nn.Module):
            def forward(self, x):
                return x.mean() / k
        loss = Loss()(model(make()))
        loss.backward()
        """,
        "build(?) forward(model) (return) backward(model, averaged=True)",
        ("averaged",),
    ),
    "what arguments out of sight may have done to a loss": Case(
        """
        def loss_of(x, *others):
            return model(x)
        loss = loss_of(*make())
        loss.backward()
        """,
        "(forward(model) return) backward(model)",
        ("averaged",),
    ),
    "what is not reached is not evaluated": Case("x = 1 or optimizer.step()\ny = 0 and optimizer.step()", ""),
    "events of a starred element": Case("x = [*make(), model(make())]", "forward(model)"),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_events(case: Case) -> None:
    (entry, *_) = program(case.code).entries
    assert told(after_head(entry.body), *case.facts) == case.events


def test_what_an_imported_module_does_is_done(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "engine.py").write_text("import torch\n\nmodel = torch.nn.Linear(2, 2)\nmodel.eval()\n")
    (tmp_path / "main.py").write_text("from engine import model\n\nmodel(make())\n")
    library = Library()
    (entry, *_) = library.program(library.source(str(tmp_path / "main.py"), (tmp_path / "main.py").read_bytes())).entries
    assert told(entry.body) == "build(model) evaluate(model) forward(model)"


# counters


@pytest.mark.parametrize(
    ("loop", "test", "window", "following", "first", "last"),
    [
        ("i in range(9)", "(i + 1) % k == 0", "k", "i % k == 0", False, False),
        ("i in range(9)", "i % k == k - 1", "k", "i % k == 0", False, False),
        ("i in range(9)", "i % 4 == 3", "4", "i % 4 == 0", False, False),
        ("i in range(9)", "i % k == 0", "k", "i - 1 % k == 0", True, False),
        ("i in range(1, 9)", "i % k == 0", "k", "i - 1 % k == 0", False, False),
        ("i, x in enumerate(loader)", "not i % k", "k", "i - 1 % k == 0", True, False),
        ("i, x in enumerate(loader)", "i == 0", "", None, True, False),
        ("i, x in enumerate(loader, 1)", "i == 2", "", None, False, False),
        ("i, x in enumerate(loader)", "i == len(loader) - 1", "", "i == builtins.len(…)", False, True),
        ("i, x in enumerate(loader)", "i + 1 == len(loader)", "", "i == builtins.len(…)", False, True),
        ("i, x in enumerate(loader, 1)", "i == len(loader) - 1", "", "i == builtins.len(…)", False, False),
        ("i, x in enumerate(loader, 1)", "i == len(loader)", "", "i - 1 == builtins.len(…)", False, True),
        ("i, x in enumerate(loader)", "(i + n) % k == 0", "k", None, False, False),
        ("i, x in enumerate(loader)", "(2 * i) % k == 0", "k", None, False, False),
        ("i, x in enumerate(loader)", "i == grad_steps", "grad_steps", None, False, False),
    ],
)
def test_what_a_test_says_of_a_counter(loop: str, test: str, window: str, following: str | None, first: bool, last: bool) -> None:
    entry = program(f"n = grad_steps = make()\nfor {loop}:\n    if {test}:\n        optimizer.step()\n").entries[0]
    (found,) = conditions(entry.body)
    assert found.counter
    assert found.window == window
    assert getattr(found.following, "text", None) == following
    assert (found.first, found.last) == (first, last)


def test_what_is_no_counter_says_nothing() -> None:
    (found,) = conditions(program("if (k + 1) % 4 == 0:\n    optimizer.step()\n").entries[0].body)
    assert not found.counter


def test_one_value_is_not_equal_to_two_constants() -> None:
    code = "for mode in [k]:\n    pass\nif k == 'fit':\n    optimizer.step()\nif k == 'test':\n    optimizer.zero_grad()\n"
    fit, held_out = _two(program(code))
    assert fit.excludes(held_out)
    fit, other = _two(program(code.replace("k == 'test'", "k.other == 'test'")))
    assert not fit.excludes(other)


def _two(found: Program) -> tuple[Condition, Condition]:
    first, second = conditions(found.entries[0].body)
    return first, second


def test_a_call_on_one_pass_is_another_on_the_next() -> None:
    (inside,) = conditions(program("for x in loader:\n    if call(k):\n        optimizer.step()\n").entries[0].body)
    (outside,) = conditions(program("if call(k):\n    optimizer.step()\n").entries[0].body)
    assert inside.key == outside.key
    assert inside.names
    assert not outside.names


@pytest.mark.parametrize(
    ("passes", "window"),
    [
        ("grad_steps", "grad_steps"),
        ("0, grad_steps", "grad_steps"),
        ("1, grad_steps", None),
        ("0, grad_steps, 2", "-(-grad_steps // 2)"),
        ("0, x.shape[0] - 1, micro", "-(-(x.shape[0] - 1) // micro)"),
        ("1, grad_steps, 2", None),
    ],
)
def test_so_many_passes_are_a_window(passes: str, window: str | None) -> None:
    code = f"for micro in range({passes}):\n    model(make()).backward()\noptimizer.step()\n"
    (found,) = [event for event in events(program(code).entries[0].body) if event.verb == "backward"]
    assert found.facts.get("windowed") is (True if window else None)
    assert found.names.get("window") == window


# what is out of sight


def test_what_other_methods_bind_is_not_what_the_constructor_left() -> None:
    code = """
    class Trainer:
        def __init__(self, optimizer: torch.optim.Optimizer):
            self.optimizer = optimizer
            self.on = False
            self.fixed = False

        def setup(self):
            self.on = True

        def advance(self):
            if self.on:
                self.optimizer.step()
            if self.fixed:
                self.optimizer.zero_grad()
    """
    assert [events for entry in program(code).entries[1:] if (events := told(entry.body))] == ["([on: step(optimizer)])"]


@pytest.mark.parametrize(("binds", "precision"), [("dtype", None), ("other", "bfloat16")])
def test_a_type_that_other_methods_bind_is_not_what_the_constructor_left(binds: str, precision: str | None) -> None:
    code = f"""
class Trainer:
    def __init__(self, model: torch.nn.Module, optimizer: torch.optim.Optimizer):
        self.model, self.optimizer = model, optimizer
        self.dtype = torch.bfloat16

    def setup(self, dtype):
        self.{binds} = dtype

    def advance(self, x):
        with torch.autocast("cuda", dtype=self.dtype):
            loss = self.model(x).mean()
        loss.backward()
        self.optimizer.step()
"""
    found = [event for entry in program(code).entries for event in _events(entry.body) if event.verb == "forward"]
    assert {event.facts.get("precision") for event in found} == {precision}


@pytest.mark.parametrize(
    ("body", "events"),
    [
        ("model(x).backward()\n        optimizer.step()", "({forward(model) backward(model) step(optimizer)})"),
        ("x.backward()\n        optimizer.step()", "({backward(optimizer) step(optimizer)})"),
    ],
)
def test_the_one_optimizer_is_that_of_the_loss(body: str, events: str) -> None:
    code = f"""
def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, data):
    for x in data:
        {body}
"""
    entry = read("import torch\n" + code)[1].entries[1]
    assert told(entry.body) == events
    (role,) = {role for event in _events(entry.body) for role in event.on if role.kind == "optimizer"}
    assert [each.name for each in role.of] == (["model"] if "model" in events else [])


def test_names_tell_which_optimizer_is_whose() -> None:
    code = """
from torch.nn import Module
from torch.optim import Optimizer

def train(netG: Module, netD: Module, optimizer_G: Optimizer, optimizer_D: Optimizer, x):
    netD(netG(x)).backward()
    optimizer_G.step()
    optimizer_D.step()
"""
    seen = [role for event in _events(read("import torch\n" + code)[1].entries[1].body) for role in event.on]
    of = {role.name: [each.name for each in role.of] for role in seen if role.kind == "optimizer"}
    assert of == {"optimizer_G": ["netG"], "optimizer_D": ["netD"]}


def test_the_optimizer_that_steps_is_that_of_the_loss() -> None:
    code = """
def train(model: torch.nn.Module, optimizer: torch.optim.Optimizer, idle: torch.optim.Optimizer, x):
    idle.zero_grad()
    model(x).backward()
    optimizer.step()
"""
    seen = [role for event in _events(read("import torch\n" + code)[1].entries[1].body) for role in event.on]
    of = {role.name: [each.name for each in role.of] for role in seen if role.kind == "optimizer"}
    assert of == {"optimizer": ["model"], "idle": []}


def test_a_backward_beside_a_framework_s_is_for_without_it() -> None:
    code = """
    from accelerate import Accelerator

    def train(accelerator, optimizer):
        loss = model(make())
        if k:
            accelerator.backward(loss)
        else:
            loss.backward()
    train(Accelerator(), optimizer)
    """
    (entry, *_) = program(code).entries
    managed = [event.facts.get("managed") for event in _events(entry.body) if event.verb == "backward"]
    assert managed == [True, None]


def _events(region: Region) -> list[Event]:
    return [*events(region)]


# relevance


@pytest.mark.parametrize("padding", ["", '    """Dropout."""\n', "    # optimizer.step()\n\n\n", "\n" * 20])
def test_what_is_no_code_decides_nothing(padding: str) -> None:
    code = f"def helper(n):\n{padding}    return n + 1\n\n\nx = helper(2)\n"
    assert value_of(read(code)[0], "x") == "3"


def test_a_long_function_without_a_word_of_training_is_not_read() -> None:
    lines = "".join(f"    n = n + {at}\n" for at in range(9))
    m, _ = read(f"def helper(n):\n{lines}    return n\n\n\nx = helper(2)\n")
    assert value_of(m, "x") == "Symbol(x)"
    assert len(m.definitions) == 0


def test_of_two_programs_under_one_flag_each_has_its_own_windows() -> None:
    code = """
for index, (x, y) in enumerate(loader):
    if k > 1:
        model(x).backward()
        if (index + 1) % k == 0:
            optimizer.step()
    else:
        model(x).backward()
        optimizer.step()
"""
    found = [event.facts.get("windowed") for event in events(program(code).entries[0].body) if event.verb == "backward"]
    assert set(found) == {False, True}

"""The fix verbs but `move` as tables: the source before and after, and how safe it is."""

from __future__ import annotations

from textwrap import dedent

import libcst as cst
import pytest
from repairs import PRELUDE, planned, refused, repaired

from loopcheck import (
    backward,
    build,
    callee_of,
    clip,
    divide,
    ensure,
    forward,
    guard,
    guard_of,
    insert,
    iterate,
    loop_of,
    move,
    receiver_of,
    remove,
    replace,
    step,
    top_of,
    undivide,
    wrap,
    zero_grad,
)
from loopcheck.fix import Edit
from loopcheck.write.statements import short

ZERO = insert("{optimizer}.zero_grad()", before=backward)
SET_EPOCH = insert("{sampler}.set_epoch({epoch})", before=iterate)
EVALUATE = insert("{model}.eval()", before=loop_of(forward)) & ensure("{model}.train()", after=loop_of(forward))
NO_GRAD = wrap(forward, "torch.no_grad()", requires="import torch")

INSERTS = {
    "before, under the comment": (
        ZERO,
        """\
        def train(optimizer, loader):
            for loss in loader:
                # backward
                loss.backward()
        """,
        """\
        def train(optimizer, loader):
            for loss in loader:
                # backward
                optimizer.zero_grad()
                loss.backward()
        """,
        "safe",
    ),
    "on a line with others": (
        ZERO,
        "optimizer = loss = 0\nx = 1; loss.backward()\n",
        "optimizer = loss = 0\nx = 1; optimizer.zero_grad(); loss.backward()\n",
        "safe",
    ),
    "in a suite on one line": (
        ZERO,
        "optimizer = loss = 0\nif loss: loss.backward()  # now\n",
        "optimizer = loss = 0\nif loss: optimizer.zero_grad(); loss.backward()  # now\n",
        "safe",
    ),
    "after, where its line begins": (
        insert("{scaler}.update()", after=step),
        "scaler = optimizer = 0\nscaler.step(optimizer)  # unscales\noptimizer.zero_grad()\n",
        "scaler = optimizer = 0\nscaler.step(optimizer)  # unscales\nscaler.update()\noptimizer.zero_grad()\n",
        "safe",
    ),
    "after a return": (
        insert("{optimizer}.zero_grad()", after=step),
        "def f(optimizer):\n    return optimizer.step()\n",
        "def f(optimizer):\n    return optimizer.step()\n",
        "none",
    ),
    "a name that is not known there": (
        ZERO,
        "def train(loss):\n    loss.backward()\n",
        "def train(loss):\n    optimizer.zero_grad()\n    loss.backward()\n",
        "display",
    ),
    "a name that is bound further down": (
        ZERO,
        "loss = 0\nloss.backward()\noptimizer = 0\n",
        "loss = 0\noptimizer.zero_grad()\nloss.backward()\noptimizer = 0\n",
        "display",
    ),
    "a global": (
        ZERO,
        "def train(loss):\n    loss.backward()\n\n\noptimizer = 0\n",
        "def train(loss):\n    optimizer.zero_grad()\n    loss.backward()\n\n\noptimizer = 0\n",
        "safe",
    ),
    "a word that nothing has": (
        insert("{teacher}.eval()", before=backward),
        "loss.backward()\n",
        "loss.backward()\n",
        "none",
    ),
    "before the header of an else-if": (
        insert("{model}.eval()", before=forward),
        "model = x = 0\nif x:\n    pass\nelif model(x):\n    pass\n",
        "model = x = 0\nif x:\n    pass\nelif model(x):\n    pass\n",
        "none",
    ),
    "with an import": (
        insert("random.seed({epoch})", before=iterate, requires="import random"),
        """\
        '''Doc.'''

        import torch

        for epoch in range(3):
            for x in loader:
                pass
        """,
        """\
        '''Doc.'''

        import random

        import torch

        for epoch in range(3):
            random.seed(epoch)
            for x in loader:
                pass
        """,
        "safe",
    ),
    "with an import, not among those that come late": (
        insert("random.seed(0)", before=iterate, requires="import random"),
        "import os\nimport torch\nprint(1)\nimport os.path\nfor x in loader:\n    pass\n",
        "import os\nimport random\nimport torch\nprint(1)\nimport os.path\nrandom.seed(0)\nfor x in loader:\n    pass\n",
        "safe",
    ),
    "with an import that is there": (
        insert("random.seed(0)", before=iterate, requires="import random"),
        "import random\nfor x in loader:\n    pass\n",
        "import random\nrandom.seed(0)\nfor x in loader:\n    pass\n",
        "safe",
    ),
    "with the first import": (
        insert("random.seed(0)", before=iterate, requires="import random"),
        '"""Doc."""\nfor x in loader:\n    pass\n',
        '"""Doc."""\nimport random\nrandom.seed(0)\nfor x in loader:\n    pass\n',
        "safe",
    ),
    "several lines": (
        insert("if {epoch}:\n    {sampler}.set_epoch({epoch})", before=iterate),
        "def f(sampler, epoch, loader):\n    for x in loader:\n        pass\n",
        "def f(sampler, epoch, loader):\n    if epoch:\n        sampler.set_epoch(epoch)\n    for x in loader:\n        pass\n",
        "safe",
    ),
    "the first of two that can be written": (
        insert("{sampler}.set_epoch({epoch})", before=iterate) | insert("{loader}.sampler.set_epoch({epoch})", before=iterate),
        "def f(loader, epoch):\n    for x in loader:\n        pass\n",
        "def f(loader, epoch):\n    loader.sampler.set_epoch(epoch)\n    for x in loader:\n        pass\n",
        "safe",
    ),
    "before the inner loop": (
        SET_EPOCH,
        """\
        sampler = loader = 0
        for epoch in range(3):
            # one pass
            for x in loader:
                pass
        """,
        """\
        sampler = loader = 0
        for epoch in range(3):
            # one pass
            sampler.set_epoch(epoch)
            for x in loader:
                pass
        """,
        "safe",
    ),
    "around a pass that nothing follows": (
        EVALUATE,
        """\
        def evaluate(model, loader):
            correct = 0
            with torch.no_grad():
                for x, y in loader:
                    correct += (model(x) == y).sum()
            return correct
        """,
        """\
        def evaluate(model, loader):
            correct = 0
            model.eval()
            with torch.no_grad():
                for x, y in loader:
                    correct += (model(x) == y).sum()
            return correct
        """,
        "safe",
    ),
    "around a pass in the loop of the epochs": (
        EVALUATE,
        """\
        model = loader = 0
        for epoch in range(3):
            loss.backward()
            for x, y in loader:
                print(model(x), y)
                # end of the pass
            print(epoch)
        """,
        """\
        model = loader = 0
        for epoch in range(3):
            loss.backward()
            model.eval()
            for x, y in loader:
                print(model(x), y)
                # end of the pass
            model.train()
            print(epoch)
        """,
        "safe",
    ),
    "around a pass, train mode each epoch": (
        EVALUATE,
        """\
        def train(net):
            net.train()

        model = loader = 0
        for epoch in range(3):
            train(model)
            for x, y in loader:
                print(model(x), y)
        """,
        """\
        def train(net):
            net.train()

        model = loader = 0
        for epoch in range(3):
            train(model)
            model.eval()
            for x, y in loader:
                print(model(x), y)
        """,
        "safe",
    ),
    "around a pass that trains as well": (
        EVALUATE,
        """\
        model = loader = 0
        for phase in ("train", "val"):
            for x, y in loader:
                loss = model(x) - y
                if phase == "train":
                    loss.backward()
        """,
        """\
        model = loader = 0
        for phase in ("train", "val"):
            for x, y in loader:
                loss = model(x) - y
                if phase == "train":
                    loss.backward()
        """,
        "none",
    ),
    "around a pass that is an expression": (
        insert("{model}.eval()", before=loop_of(forward)),
        "model = loader = 0\nprint(sum(model(x) for x in loader))\n",
        "model = loader = 0\nmodel.eval()\nprint(sum(model(x) for x in loader))\n",
        "safe",
    ),
}

WRAPS = {
    "what is yielded is taken outside": (
        NO_GRAD,
        "for x in loader:\n    yield model(x)\n",
        "for x in loader:\n    yield model(x)\n",
        "none",
    ),
    "a function that is the pass": (
        NO_GRAD,
        """\
        import torch


        @timed
        def evaluate(model, loader):
            model.eval()
            for x in loader:
                print(model(x))
            return 1
        """,
        """\
        import torch


        @timed
        @torch.no_grad()
        def evaluate(model, loader):
            model.eval()
            for x in loader:
                print(model(x))
            return 1
        """,
        "safe",
    ),
    "a pass whose inputs are made by gradients": (
        NO_GRAD,
        """\
        import torch

        def attacked(model, adversary, test_loader):
            for x, y in test_loader:
                moved = adversary["attack"](x, y)
                print(model(moved))
        """,
        """\
        import torch

        def attacked(model, adversary, test_loader):
            for x, y in test_loader:
                moved = adversary["attack"](x, y)
                with torch.no_grad():
                    print(model(moved))
        """,
        "unsafe",
    ),
    "a pass in which the model is fitted first": (
        NO_GRAD,
        """\
        import torch

        def tested(model, loss_of, test_loader):
            for support, query in test_loader:
                learner = model.clone()
                learner.adapt(loss_of(learner(support)))
                print(model(query))
        """,
        """\
        import torch

        def tested(model, loss_of, test_loader):
            for support, query in test_loader:
                learner = model.clone()
                learner.adapt(loss_of(learner(support)))
                with torch.no_grad():
                    print(model(query))
        """,
        "unsafe",
    ),
    "a pass before another one whose inputs are made by gradients": (
        NO_GRAD,
        """\
        import torch

        def tested(model, attacker, test_loader):
            for x, y in test_loader:
                print(model(x))
            for x, y in test_loader:
                attacker.attack(model, x, y)
        """,
        """\
        import torch

        def tested(model, attacker, test_loader):
            with torch.no_grad():
                for x, y in test_loader:
                    print(model(x))
            for x, y in test_loader:
                attacker.attack(model, x, y)
        """,
        "unsafe",
    ),
    "a method that is the pass": (
        NO_GRAD,
        """\
        import torch

        class Trainer:
            def evaluate(self):
                for x in self.loader:
                    print(self.model(x))
        """,
        """\
        import torch

        class Trainer:
            @torch.no_grad()
            def evaluate(self):
                for x in self.loader:
                    print(self.model(x))
        """,
        "safe",
    ),
    "a pass among others": (
        NO_GRAD,
        '''\
        import torch

        def main(loader):
            model = build()
            for epoch in range(3):
                train(model)
                # validation
                for x in loader:
                    text = """
          as it is
                    """ + f"""{
                    x}"""

                    print(model(x),
                          text)  # here
                    # done
                else:
                    print()
                print(epoch)
        ''',
        '''\
        import torch

        def main(loader):
            model = build()
            for epoch in range(3):
                train(model)
                # validation
                with torch.no_grad():
                    for x in loader:
                        text = """
          as it is
                    """ + f"""{
                    x}"""

                        print(model(x),
                              text)  # here
                        # done
                    else:
                        print()
                print(epoch)
        ''',
        "safe",
    ),
    "a pass at the module's level, with the import": (
        NO_GRAD,
        "from x import loader, model\nfor x in loader:\n    print(model(x))\n",
        "from x import loader, model\nimport torch\nwith torch.no_grad():\n    for x in loader:\n        print(model(x))\n",
        "safe",
    ),
}

EXPRESSIONS = {
    "divide a name": (
        divide(backward, by="{window}"),
        "k = loss = 0\nloss.backward()  # add\n",
        "k = loss = 0\n(loss / k).backward()  # add\n",
        "safe",
    ),
    "divide what is scaled": (
        divide(backward, by="{window}"),
        "k = loss = 0\nscaler.scale(loss).backward()\n",
        "k = loss = 0\nscaler.scale(loss / k).backward()\n",
        "safe",
    ),
    "divide an argument": (
        divide(backward, by="{window}"),
        "k = loss = 0\nfabric.backward(loss)\n",
        "k = loss = 0\nfabric.backward(loss / k)\n",
        "safe",
    ),
    "divide a sum": (
        divide(backward, by="{window}"),
        "k = a = b = 0\n(a + b).backward(retain_graph=True)\n",
        "k = a = b = 0\n((a + b) / k).backward(retain_graph=True)\n",
        "safe",
    ),
    "divide a call of several lines": (
        divide(backward, by="{window}"),
        "k = f = 0\nf(\n    1,  # one\n).backward()\n",
        "k = f = 0\n(f(\n    1,  # one\n) / k).backward()\n",
        "safe",
    ),
    "undivide an argument": (
        undivide(backward, by="{window}"),
        "k = loss = 0\nfabric.backward(loss / k)  # all\n",
        "k = loss = 0\nfabric.backward(loss)  # all\n",
        "safe",
    ),
    "undivide a statement": (
        undivide(backward, by="{window}"),
        "k = f = 0\nloss = f()\nloss = loss / k\nfabric.backward(loss)\n",
        "k = f = 0\nloss = f()\nfabric.backward(loss)\n",
        "safe",
    ),
    "undivide in place": (
        undivide(backward, by="{window}"),
        "k = f = 0\nloss = f()\nprint(loss)\nif k:\n    loss /= k\n    fabric.backward(loss)\n",
        "k = f = 0\nloss = f()\nprint(loss)\nif k:\n    fabric.backward(loss)\n",
        "safe",
    ),
    "undivide what is computed under a context": (
        undivide(backward, by="{window}"),
        "k = f = 0\nwith f():\n    loss = (f(1) + f(2)) / k\nfabric.backward(loss)\n",
        "k = f = 0\nwith f():\n    loss = (f(1) + f(2))\nfabric.backward(loss)\n",
        "safe",
    ),
    "undivide what is logged": (
        undivide(backward, by="{window}"),
        "k = f = 0\nloss = f() / k\nfabric.backward(loss)\nprint(loss)\n",
        "k = f = 0\nloss = f()\nfabric.backward(loss)\nprint(loss)\n",
        "unsafe",
    ),
    "undivide what was divided by something else": (
        undivide(backward, by="{window}"),
        "k = n = f = 0\nloss = f() / n\nfabric.backward(loss)\n",
        "k = n = f = 0\nloss = f() / n\nfabric.backward(loss)\n",
        "none",
    ),
    "divide by a product": (
        divide(backward, by="{window} * 2"),
        "k = loss = 0\nloss.backward()\n",
        "k = loss = 0\n(loss / (k * 2)).backward()\n",
        "safe",
    ),
    "divide by what is not known there": (
        divide(backward, by="{window}"),
        "loss = 0\nloss.backward()\n",
        "loss = 0\n(loss / k).backward()\n",
        "display",
    ),
    "divide several losses at once": (
        divide(backward, by="{window}"),
        "k = 0\ntorch.autograd.backward([a, b])\n",
        "k = 0\ntorch.autograd.backward([a, b])\n",
        "none",
    ),
    "replace a call": (
        replace(step, "{model}.step({optimizer})"),
        "model = optimizer = 0\nif 1:\n    optimizer.step()\n",
        "model = optimizer = 0\nif 1:\n    model.step(optimizer)\n",
        "safe",
    ),
    "replace what it is called on": (
        replace(receiver_of(backward), "{optimizer}.scale({was})"),
        "optimizer = loss = 0\nloss.backward(create_graph=True)\n",
        "optimizer = loss = 0\noptimizer.scale(loss).backward(create_graph=True)\n",
        "safe",
    ),
    "replace what is called": (
        replace(callee_of(build), "{was}W"),
        "import torch\ntorch.optim.Adam(x)\n",
        "import torch\ntorch.optim.AdamW(x)\n",
        "safe",
    ),
    "replace what is called, with the import": (
        replace(callee_of(build), "{was}W", requires="from torch.optim import AdamW"),
        "from torch.optim import Adam\nAdam(x)\n",
        "from torch.optim import Adam\nfrom torch.optim import AdamW\nAdamW(x)\n",
        "safe",
    ),
    "replace a condition": (
        replace(guard_of(step), "{was} or last"),
        "i = last = 0\nif (i + 1) % k == 0:\n    optimizer.step()\n",
        "i = last = 0\nif (i + 1) % k == 0 or last:\n    optimizer.step()\n",
        "safe",
    ),
    "replace the condition of an else-if": (
        replace(guard_of(step), "{was} or last"),
        "i = last = 0\nif i:\n    pass\nelif i % 2:\n    with i:\n        optimizer.step()\n",
        "i = last = 0\nif i:\n    pass\nelif i % 2 or last:\n    with i:\n        optimizer.step()\n",
        "safe",
    ),
    "replace no condition": (
        replace(guard_of(step), "{was} or last"),
        "if i:\n    pass\nelse:\n    optimizer.step()\n",
        "if i:\n    pass\nelse:\n    optimizer.step()\n",
        "none",
    ),
    "replace only what is expected": (
        replace(build, "None", argument=0, instead_of="{model}.parameters()"),
        "Adam([{'params': model.parameters()}])\n",
        "Adam([{'params': model.parameters()}])\n",
        "none",
    ),
    "replace an argument": (
        replace(build, "list({was})", argument=0),
        "Adam(model.parameters(), lr=1)\n",
        "Adam(list(model.parameters()), lr=1)\n",
        "safe",
    ),
    "replace a keyword argument": (
        replace(build, "False", argument="shuffle"),
        "DataLoader(data, shuffle=True)\n",
        "DataLoader(data, shuffle=False)\n",
        "safe",
    ),
    "replace by several lines": (
        replace(build, "[\n    {was},\n]", argument=0),
        "if 1:\n    Adam(p)\n",
        "if 1:\n    Adam([\n        p,\n    ])\n",
        "safe",
    ),
    "replace what holds a comment": (replace(build, "None", argument=0), "Adam([\n    p,  # all\n])\n", "Adam(None)\n", "unsafe"),
    "add an argument": (
        replace(build, "False", argument="shuffle"),
        "DataLoader(data)\n",
        "DataLoader(data, shuffle=False)\n",
        "safe",
    ),
    "add an argument after a comma": (
        replace(build, "False", argument="shuffle"),
        "DataLoader(\n    data,\n)\n",
        "DataLoader(\n    data,\n    shuffle=False,\n)\n",
        "safe",
    ),
    "add the first argument": (
        replace(build, "False", argument="shuffle"),
        "DataLoader()\n",
        "DataLoader(shuffle=False)\n",
        "safe",
    ),
    "add an argument that options may hold": (
        replace(build, "False", argument="shuffle"),
        "DataLoader(**options)\n",
        "DataLoader(**options)\n",
        "none",
    ),
    "remove the last argument": (
        remove(build, argument="shuffle"),
        "DataLoader(data,\n           shuffle=True)\n",
        "DataLoader(data)\n",
        "safe",
    ),
    "remove the last argument and keep the comma": (
        remove(build, argument="shuffle"),
        "DataLoader(\n    data,\n    shuffle=True,\n)\n",
        "DataLoader(\n    data,\n)\n",
        "safe",
    ),
    "remove an argument": (
        remove(build, argument=0),
        "DataLoader( data, shuffle=True )\n",
        "DataLoader( shuffle=True )\n",
        "safe",
    ),
    "remove an only argument": (remove(build, argument="shuffle"), "DataLoader(shuffle=True)\n", "DataLoader()\n", "safe"),
    "remove an argument and a comment": (
        remove(build, argument=0),
        "DataLoader(\n    data,  # all\n    shuffle=True,\n)\n",
        "DataLoader(\n    shuffle=True,\n)\n",
        "unsafe",
    ),
    "remove a statement": (remove(zero_grad), "optimizer.step()\noptimizer.zero_grad()\n", "optimizer.step()\n", "safe"),
    "remove a statement and a comment": (
        remove(zero_grad),
        "optimizer.step()\noptimizer.zero_grad()  # none\n",
        "optimizer.step()\n",
        "unsafe",
    ),
    "remove from a line": (
        remove(zero_grad),
        "optimizer.zero_grad(); optimizer.step()  # go\n",
        "optimizer.step()  # go\n",
        "safe",
    ),
    "remove all that a block holds": (
        remove(zero_grad),
        "if x:\n    optimizer.zero_grad()\n",
        "if x:\n    optimizer.zero_grad()\n",
        "none",
    ),
}


SOMETIMES = guard(zero_grad, "random.random() < 0.5", requires="import random")
GUARDS: dict[str, tuple[Edit, str, str, str]] = {
    "a statement": (
        SOMETIMES,
        "optimizer.zero_grad()\n",
        "import random\nif random.random() < 0.5:\n    optimizer.zero_grad()\n",
        "safe",
    ),
    "a statement of several lines, and its comment": (
        SOMETIMES,
        "if x:\n    optimizer.zero_grad(\n        True\n    )  # all\n",
        "import random\nif x:\n    if random.random() < 0.5:\n        optimizer.zero_grad(\n            True\n        )  # all\n",
        "safe",
    ),
    "what binds a name that would be missing": (
        SOMETIMES,
        "done = optimizer.zero_grad()\n",
        "done = optimizer.zero_grad()\n",
        "none",
    ),
    "one of several on a line": (
        SOMETIMES,
        "optimizer.step(); optimizer.zero_grad()\n",
        "optimizer.step(); optimizer.zero_grad()\n",
        "none",
    ),
}


@pytest.mark.parametrize(("fix", "before", "after", "applicability"), INSERTS.values(), ids=INSERTS)
def test_insert(fix: Edit, before: str, after: str, applicability: str) -> None:
    assert repaired(fix, before) == (dedent(after), applicability)


@pytest.mark.parametrize(("fix", "before", "after", "applicability"), WRAPS.values(), ids=WRAPS)
def test_wrap(fix: Edit, before: str, after: str, applicability: str) -> None:
    assert repaired(fix, before) == (dedent(after), applicability)


@pytest.mark.parametrize(("fix", "before", "after", "applicability"), GUARDS.values(), ids=GUARDS)
def test_guard(fix: Edit, before: str, after: str, applicability: str) -> None:
    assert repaired(fix, before) == (dedent(after), applicability)


@pytest.mark.parametrize(("fix", "before", "after", "applicability"), EXPRESSIONS.values(), ids=EXPRESSIONS)
def test_expression(fix: Edit, before: str, after: str, applicability: str) -> None:
    assert repaired(fix, before) == (dedent(after), applicability)


@pytest.mark.parametrize(
    ("fix", "source", "message"),
    [
        (
            move(clip, before=step),
            "optimizer.step()\ntorch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)",
            "move `clip_grad_norm_(…)` before `optimizer.step()`",
        ),
        (ZERO, "loss.backward()", "insert `optimizer.zero_grad()` before `loss.backward()`"),
        (
            EVALUATE,
            "for e in range(2):\n    for x in loader:\n        model(x)\n",
            "insert `model.eval()` before `for x in loader:`, and insert `model.train()` after `for x in loader:`",
        ),
        (NO_GRAD, "for x in loader:\n    model(x)\n", "put `for x in loader:` under `with torch.no_grad():`"),
        (divide(backward, by="{window}"), "loss.backward()", "divide `loss` by `k` in `loss.backward()`"),
        (
            remove(build, argument="shuffle"),
            "DataLoader(data, shuffle=True)",
            "remove `shuffle=True` from `DataLoader(data, shuffle=True)`",
        ),
        (replace(build, "0", argument="lr"), "Adam(p, lr=1)", "replace `1` with `0`"),
    ],
)
def test_a_repair_says_what_it_does(fix: Edit, source: str, message: str) -> None:
    repair = planned(fix, (PRELUDE + source).encode())
    assert repair is not None
    assert repair.message == message


def test_the_weakest_part_of_a_repair_decides() -> None:
    both = ZERO & insert("{optimizer}.zero_grad()", after=step).unsafe
    repair = planned(both, b"optimizer = loss = 0\nloss.backward()\noptimizer.step()\n")
    assert both.applicability == "unsafe"
    assert repair is not None
    assert repair.applicability == "unsafe"
    assert len(repair.edits) == 2


def test_a_place_is_on_one_side() -> None:
    with pytest.raises(TypeError, match="before= or after="):
        insert("pass")
    with pytest.raises(TypeError, match="before= or after="):
        insert("pass", before=step, after=step)


UNMENDED = {
    "a forward of what is made by gradients on the spot": (
        NO_GRAD,
        "def attacked(model, adversary, loader):\n    for x, y in loader:\n        print(model(adversary.perturb(x, y)))\n",
        "what it is applied to is made by gradients, in the same statement",
    ),
    "a pass that yields": (
        NO_GRAD,
        "def outputs(model, loader):\n    for x in loader:\n        yield model(x)\n    print(len(loader))\n",
        "others run before the pass has ended: it yields",
    ),
    "no pass": (
        insert("{model}.eval()", before=loop_of(forward)),
        "def output(model, x):\n    return model(x)\n",
        "there is no loop around it",
    ),
    "after a return": (
        insert("{optimizer}.zero_grad()", after=step),
        "def f(optimizer):\n    return optimizer.step()\n",
        "the function ends there",
    ),
    "an object without a name": (
        insert("{scaler}.update()", after=step),
        "def f(optimizer):\n    optimizer.step()\n",
        "the scaler has no name there",
    ),
    "several losses": (
        divide(backward, by="{window}"),
        "def f(loss, k):\n    torch.autograd.backward([loss])\n",
        "several losses are differentiated in one call",
    ),
    "a name that comes later": (
        move(clip, before=step),
        "def f(model, optimizer):\n    optimizer.step()\n    limit = 1.0\n    clip_grad_norm_(model, limit)\n",
        "`limit` has no value yet where it would go",
    ),
}


@pytest.mark.parametrize(("fix", "before", "reason"), UNMENDED.values(), ids=UNMENDED)
def test_a_fix_that_cannot_be_says_why(fix: Edit, before: str, reason: str) -> None:
    assert refused(fix, before) == reason


BELONGINGS = {
    "an import that is needed above the last one": (
        NO_GRAD,
        """\
        import x
        for each in loader:
            model(each)
        import y
        model = loader = y
        """,
        """\
        import x
        import torch
        with torch.no_grad():
            for each in loader:
                model(each)
        import y
        model = loader = y
        """,
        "safe",
    ),
    "an update that comes too late is moved": (
        insert("{scaler}.update()", after=step),
        """\
        def train(scaler, optimizer, loader):
            for loss in loader:
                scaler.step(optimizer)
            scaler.update()
            print("done")
        """,
        """\
        def train(scaler, optimizer, loader):
            for loss in loader:
                scaler.step(optimizer)
                scaler.update()
            print("done")
        """,
        "safe",
    ),
    "one under a condition makes a second one doubtful": (
        insert("{scaler}.update()", after=step),
        """\
        def train(scaler, optimizer, loader):
            for loss in loader:
                scaler.step(optimizer)
            if loader:
                scaler.update()
        """,
        """\
        def train(scaler, optimizer, loader):
            for loss in loader:
                scaler.step(optimizer)
                scaler.update()
            if loader:
                scaler.update()
        """,
        "unsafe",
    ),
    "a norm that is logged afterwards": (
        insert("{optimizer}.zero_grad()", after=step),
        "def f(model, optimizer):\n    optimizer.step()\n    print(model.weight.grad.norm())\n",
        "def f(model, optimizer):\n    optimizer.step()\n    optimizer.zero_grad()\n    print(model.weight.grad.norm())\n",
        "unsafe",
    ),
    "a clip that comes afterwards": (
        insert("{optimizer}.zero_grad()", after=step),
        "def f(model, optimizer):\n    optimizer.step()\n    clip_grad_norm_(model, 1.0)\n",
        "def f(model, optimizer):\n    optimizer.step()\n    optimizer.zero_grad()\n    clip_grad_norm_(model, 1.0)\n",
        "unsafe",
    ),
    "passes one after the other": (
        EVALUATE,
        """\
        def train(model, loader):
            for epoch in range(3):
                for x in loader:
                    print(model(x))
                rest = [1]
                for x in rest:
                    print(model(x))
                print(epoch)
        """,
        """\
        def train(model, loader):
            for epoch in range(3):
                model.eval()
                for x in loader:
                    print(model(x))
                rest = [1]
                for x in rest:
                    print(model(x))
                model.train()
                print(epoch)
        """,
        "safe",
    ),
    "the top of a pass": (
        insert("{model}.train()", before=top_of(forward)),
        "def train(model, loader):\n    for x in loader:\n        # first\n        model(x)\n",
        "def train(model, loader):\n    for x in loader:\n        # first\n        model.train()\n        model(x)\n",
        "safe",
    ),
    "a blank line less where two would meet": (
        move(zero_grad, after=step),
        "def f(optimizer):\n    a = 1\n\n    optimizer.zero_grad()\n\n    optimizer.step()\n\n    print(a)\n",
        "def f(optimizer):\n    a = 1\n\n    optimizer.step()\n    optimizer.zero_grad()\n\n    print(a)\n",
        "safe",
    ),
}


@pytest.mark.parametrize(("fix", "before", "after", "applicability"), BELONGINGS.values(), ids=BELONGINGS)
def test_a_fix_says_a_thing_once_and_where_it_belongs(fix: Edit, before: str, after: str, applicability: str) -> None:
    assert repaired(fix, before) == (dedent(after), applicability)


def test_what_is_done_to_a_choice_of_edits_is_done_to_each() -> None:
    one, other = insert("{optimizer}.zero_grad()", before=backward), insert("{optimizer}.zero_grad()", after=step)
    both = ((one | other) & NO_GRAD).unsafe
    assert [(each.applicability, each.also) for each in (both, *both.otherwise)] == [("unsafe", (NO_GRAD,))] * 2
    assert [each.applicability for each in ((one | other).display, *(one | other).display.otherwise)] == ["display"] * 2
    assert [each.applicability for each in ((one | other.unsafe) & EVALUATE, *(one | other.unsafe).otherwise)] == [
        "safe",
        "unsafe",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("optimizer.zero_grad()", "optimizer.zero_grad()"),
        ("torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)", "clip_grad_norm_(…)"),
        ("net(images.to(device)).detach().cpu().numpy()", "net(images.to(device)).detach().cpu().numpy()"),
    ],
)
def test_a_call_in_few_words_says_what_is_called(text: str, said: str) -> None:
    call = cst.parse_expression(text)
    assert isinstance(call, cst.Call)
    assert short(call) == said

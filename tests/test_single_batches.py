"""One batch is evaluated as well as many: of a forward in no loop of its function, the call tells what it is."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from loopcheck import packs
from loopcheck.check import check_source
from loopcheck.rule import Confidence
from loopcheck.write.apply import mend

AROUND = """
import torch
from torch import nn
from torch.nn import functional as F
from library import distance

def slope(out, x):
    return torch.autograd.grad(out.sum(), x)[0]

class Bank:
    def __init__(self):
        self.last = None

def {name}(net, x, y, optimizer, bank):
{body}

def main(x, y):
    net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    bank = Bank()
    for epoch in range(3):
        net.train()
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
        result = {name}(net, x, y, optimizer, bank)
{caller}
"""


def told(body: str, caller: str = "print(result)", name: str = "measure") -> list[str]:
    text = AROUND.format(body=indent(dedent(body), " " * 4), caller=indent(dedent(caller), " " * 8), name=name)
    rules = [rule for rule in packs.rules() if rule.code in ("LC601", "LC602")]
    return sorted(each.rule.code for each in check_source(text.encode(), "train.py", rules).findings)


@pytest.mark.parametrize(
    ("body", "caller"),
    [
        ("net.eval()\nout = net(x)\nreturn (out.argmax(1) == y).sum().item()", "print(result)"),
        ("net.eval()\nreturn net(x).detach()", "print(result)"),
        ("net.eval()\nreturn net(x)", "print(result.argmax(1))"),
        ("net.eval()\nreturn net(x)", "print(result)"),
        ("net.eval()\nout = net(x)\nloss = F.cross_entropy(out, y)\nreturn loss, out", "loss, out = result\nprint(loss.item())"),
        ("net.eval()\nloss = F.cross_entropy(net(x), y)\ndistance.note(loss)\nreturn loss.item()", "print(result)"),
        ("net.eval()\nloss = F.cross_entropy(net(x), y)\ndistance.save_for_backward(loss)\nreturn loss.item()", "print(result)"),
    ],
)
def test_numbers_of_one_batch_need_no_graph(body: str, caller: str) -> None:
    assert told(body, caller) == ["LC602"]


@pytest.mark.parametrize(
    ("body", "caller"),
    [
        ("out = net(x)\nreturn (out.argmax(1) == y).sum().item()", "print(result)"),  # the name says nothing, nor does the mode
        ("net.eval()\nwith torch.no_grad():\n    out = net(x)\nreturn out.argmax(1)", "print(result)"),
        ("net.eval()\nout = net(x)\nreturn out", "kept = result"),
        ("net.eval()\nout = net(x)\nprint(out.argmax(1))\nbank.last = out", "print(result)"),
        (
            "net.eval()\nout = net(x)\nprint(out.argmax(1))\nreturn out",
            "optimizer.zero_grad()\nresult.sum().backward()\noptimizer.step()",
        ),
        ("net.eval()\nout = net(x)\nprint(out.argmax(1))\nF.cross_entropy(out, y).backward()\noptimizer.step()", "print(result)"),
        ("net.eval()\nout = net(x)\nprint(out.argmax(1))\nprint(slope(out, x))", "print(result)"),
        ("net.eval()\nreturn net(x)", "print(slope(result, x))\nprint(result.argmax(1))"),
        (
            "net.eval()\nout = net(x)\nprint(out.argmax(1))\ndistance.update(out, y)",
            "optimizer.zero_grad()\ndistance.total().backward()\noptimizer.step()",
        ),
        (
            "net.eval()\nout = net(x)\nprint(out.argmax(1))\nreturn distance(out, y)",
            "optimizer.zero_grad()\nresult.backward()\noptimizer.step()",
        ),
        ("net.eval()\nloss = F.cross_entropy(net(x), y)\ndistance.train_step(loss)\nreturn loss.item()", "print(result)"),
        ("net.eval()\nloss = F.cross_entropy(net(x), y)\ndistance.apply(loss, optimizer)\nreturn loss.item()", "print(result)"),
    ],
)
def test_what_is_trained_on_or_kept_needs_one(body: str, caller: str) -> None:
    assert told(body, caller) == []


def test_a_name_says_what_a_call_is_where_its_numbers_are_taken() -> None:
    body = "out = net(x)\nreturn (out.argmax(1) == y).sum().item()"
    assert told(body, name="evaluate") == ["LC601", "LC602"]
    assert told("with torch.no_grad():\n    out = net(x)\nreturn out.argmax(1)", name="inference") == ["LC601"]
    assert told("out = net(x)\nreturn out", "optimizer.zero_grad()\nresult.sum().backward()\noptimizer.step()", "evaluate") == []
    assert told(body + "  # with dropout", name="mc_evaluate") == []


def test_unit_tests_hold_nothing_out() -> None:
    text = """
        import torch
        from torch import nn

        def test_shapes():
            net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
            net.eval()
            out = net(torch.randn(3, 4))
            print(out.argmax(1))

        test_shapes()
    """
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    assert not check_source(dedent(text).encode(), "test_net.py", rules).findings
    assert check_source(dedent(text).encode(), "net.py", rules).findings


def test_a_script_is_a_call_too() -> None:
    text = """
        import torch
        from torchvision.models import resnet18

        net = resnet18()
        net.load_state_dict(torch.load("net.pt"))
        net.eval()
        print(net(torch.randn(1, 3, 224, 224)).argmax(1))
    """
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    assert [each.rule.code for each in check_source(dedent(text).encode(), "predict.py", rules).findings] == ["LC602"]


@pytest.mark.parametrize(
    ("name", "body", "safe"),
    [
        ("evaluate", "net.eval()\nout = net(x)\nreturn (out.argmax(1) == y).sum().item()", True),
        ("measure", "net.eval()\nout = net(x)\nreturn (out.argmax(1) == y).sum().item()", False),
        ("evaluate", "net.eval()\nout = net(x)\nprint(out.argmax(1))\nreturn out", False),
        ("evaluate", "net.eval()\nout = net(x)\nscaled = out * 2\nreturn scaled", False),
        ("evaluate", "net.eval()\nreturn net(x)", False),
    ],
)
def test_who_else_may_want_the_graph_decides_whether_a_fix_is_safe(name: str, body: str, safe: bool) -> None:
    text = AROUND.format(body=indent(body, " " * 4), caller="        print(result.argmax(1))", name=name)
    if "return (" in body:
        text = text.replace("print(result.argmax(1))", "print(result)")
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    mended = mend(text.encode(), "train.py", rules)
    assert (b"no_grad" in mended.data) is safe
    assert b"no_grad" in mend(text.encode(), "train.py", rules, unsafe=True).data


MODEL = """
import torch
from torch import nn
from torch.nn import functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 8)
        self.head = nn.Linear(8, 2)

    def encode(self, x):
        return self.encoder(x)

    def forward(self, x):
        return self.head(self.encode(x))

    def predict(self, x, seen):
        {mode}
        seen.append(len(x))
        return self.head(self.encode(x)).argmax(1)

def main(x, y):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        net.train()
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
        net.eval()
        print(net.predict(x, []))
"""


def test_a_part_of_a_network_is_applied_by_who_trains_as_well() -> None:
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    found = check_source(MODEL.format(mode="pass").encode(), "train.py", rules).findings
    assert {each.primary.row for each in found} == {32}, "told where it is asked for its numbers, in eval mode"
    found = check_source(MODEL.format(mode="self.eval()").encode(), "train.py", rules).findings
    assert {each.primary.row for each in found} == {21}, "a method that puts its network in eval mode is an evaluation"


WHOLE_SET = """
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x_train, y_train, x_test, y_test = torch.load("data.pt")
{before}
for epoch in range(3):
    net.train()
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(x_train), y_train).backward()
    optimizer.step()
    {mode}
    with torch.no_grad():
        out = {applied}
    print(out)
"""


def told_of_all(applied: str, mode: str = "pass", before: str = "") -> list[str]:
    text = WHOLE_SET.format(applied=applied, mode=mode, before=before)
    return [
        each.rule.code for each in check_source(text.encode(), "train.py", packs.rules()).findings if each.rule.group == "bug"
    ]


@pytest.mark.parametrize("applied", ["net(x_test)", "net(x_test).argmax(1)", "net(x_test.to('cuda'))", "net(data['test'])"])
def test_held_out_data_is_known_by_its_name(applied: str) -> None:
    assert told_of_all(applied) == ["LC601"]
    assert told_of_all(applied, "net.eval()") == []


@pytest.mark.parametrize(
    ("applied", "before"),
    [
        ("net(x_train)", ""),
        ("net(x)", ""),
        ("net(test_noise)", ""),  # what a generator makes samples of
        ("torch.stack([net(x_test) for _ in range(20)])", ""),  # dropout that is on to be drawn from
        ("net(x_test)", "x_test = torch.randn(2, 4)"),  # made up: whether it runs at all
        ("net(x_train)", "with torch.no_grad():\n    print(net(x_test).shape)"),  # before it is trained: whether it runs at all
        ("with_dropout()", "def with_dropout():\n    return net(x_test)"),
    ],
)
def test_nor_is_all_data_held_out(applied: str, before: str) -> None:
    assert told_of_all(applied, before=before) == []


@pytest.mark.parametrize(("name", "found"), [("with_dropout", []), ("with_scores", ["LC601", "LC602"])])
def test_a_function_says_that_dropout_is_wanted(name: str, found: list[str]) -> None:
    text = WHOLE_SET.format(
        applied="None", mode=f"print({name}().argmax(1) == y_test)", before=f"def {name}():\n    return net(x_test)"
    )
    findings = check_source(text.encode(), "train.py", packs.rules()).findings
    assert sorted(each.rule.code for each in findings if each.rule.group == "bug") == found


def test_a_network_is_measured_after_its_training() -> None:
    text = WHOLE_SET.format(applied="net(x_train)", mode="pass", before="") + "with torch.no_grad():\n    print(net(x_test))\n"
    assert [each.rule.code for each in check_source(text.encode(), "test.py", packs.rules()).findings] == ["LC601"]


ADAPTED = """
import torch
from torchvision import models

def adapt_bn(net, x):
    net.train()
    with torch.no_grad():
        return net(x)

net = models.resnet18(num_classes=10)
net.load_state_dict(torch.load("net.pt"))
net.eval()
for x, y in test_loader:
    print((adapt_bn(net, x).argmax(1) == y).sum())
"""


def test_a_function_that_a_loop_calls_says_what_train_mode_is_for() -> None:
    for text, found in ((ADAPTED, []), (ADAPTED.replace("adapt_bn", "classify"), ["LC601"])):
        assert [each.rule.code for each in check_source(text.encode(), "test.py", packs.rules()).findings] == found


FAST = """
import torch
from torch import nn
from episodes import tasks

net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
net.load_state_dict(torch.load("net.pt"))

def fast_adapt(net, batch):
    x, y = batch
    found = net(x)
    return nn.functional.cross_entropy(found, y), found

def main(valid_loader):
    net.eval()
    total = 0
    for batch in valid_loader:
        loss, _ = fast_adapt(net, batch)
        total += loss.item()
    print(total)

main(tasks())
"""


def test_a_name_that_says_what_a_mode_is_for_wants_no_graph() -> None:
    """A prototype is no gradient: what adapts by it records a graph for nothing."""
    assert [each.rule.code for each in check_source(FAST.encode(), "test.py", packs.rules()).findings] == ["LC602"]


@pytest.mark.parametrize(
    ("given", "calls", "least"),
    [
        ("torch.randn(2, 4)", "score()", Confidence.MEDIUM),
        ("torch.ones(2, 4).double().to(device)", "score()", Confidence.MEDIUM),
        ("read(2)", "score()", Confidence.MEDIUM),
        ("read(2)", "for _ in range(3):\n    score()", Confidence.HIGH),
        ("read(2)", "for _ in range(3):\n    score()\n    break", Confidence.MEDIUM),
        ("read(2)", "for _ in range(3):\n    score()\n    if read(1):\n        break", Confidence.HIGH),
        ("torch.randn(2, 4)", "for _ in range(3):\n    score()", Confidence.HIGH),
    ],
)
def test_one_forward_is_told_with_less_confidence(given: str, calls: str, least: Confidence) -> None:
    text = dedent("""
        import torch
        from torch import nn
        from library import device, read

        net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        net.load_state_dict(torch.load("net.pt"))
        net.eval()

        def score():
            x = {given}
            out = net(x)
            print(out.argmax(1).tolist())

        {calls}
    """)
    text = text.format(given=given, calls=calls)
    rules = [rule for rule in packs.rules() if rule.name == "missing-no-grad"]
    assert [each.confidence for each in check_source(text.encode(), "score.py", rules).findings] == [least]


@pytest.mark.parametrize(
    ("ids", "how"), [("torch.load('ids.pt')", Confidence.MEDIUM), ("torch.randint(9, (3, 4))", Confidence.LOW)]
)
def test_what_a_network_is_tried_on_is_no_data(ids: str, how: Confidence) -> None:
    text = f"""
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.embed = nn.Embedding(9, 4)

            def forward(self, ids, mask):
                return (self.embed(ids) * mask[..., None]).mean(1)

        def evaluate():
            net = Net()
            print(net(ids={ids}, mask=torch.ones(3, 4)).argmax(1))

        evaluate()
    """
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    (finding,) = check_source(dedent(text).encode(), "model.py", rules).findings
    assert finding.confidence is how

"""A pass in eval mode that takes numbers of what a network puts out, and keeps no graph, is an evaluation by its use."""

from textwrap import dedent, indent

import pytest

from loopcheck import packs
from loopcheck.check import check_source
from loopcheck.rule import Confidence

AROUND = """
import torch
import torchvision
from torch import nn
from torch.utils.data import DataLoader
from torch.utils.tensorboard import SummaryWriter

WRITER = SummaryWriter()

def numbers_of(tensor):
    return tensor.detach().cpu().numpy()

def show(tensor):
    print(tensor.mean().item())

class Bank:
    def __init__(self):
        self.rows = []
        self.last = None

    def take(self, row):
        self.rows.append(row)

def gallery(net: nn.Module, images: DataLoader, rows, bank=Bank()):
    {mode}
    for x in images:
        out = net(x)
{body}
{after}

def main(images):
    net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
    result = gallery(net, images, [])
    {caller}
"""


def told(body: str, after: str = "", caller: str = "print(result)", mode: str = "net.eval()") -> list[str]:
    text = AROUND.format(body=indent(dedent(body), " " * 8), after=indent(dedent(after), " " * 4), caller=caller, mode=mode)
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    return [each.rule.code for each in check_source(text.encode(), "gallery.py", rules).findings]


@pytest.mark.parametrize(
    "body",
    [
        "rows.append(out.detach())",
        "rows.append(out.data.cpu())",
        "rows.append(out.argmax(1))",
        "rows.append(torch.multinomial(out.softmax(1), 1))",
        "print(out)",
        "print(f'{out.mean():.3f}')",
        "torchvision.utils.save_image(out, 'out.png')",
        "torchvision.utils.save_image(out.detach(), 'out.png')",
        "WRITER.add_image('out', out)",
        "_, best = out.max(dim=1)\nrows.append(best)",
        "_, best = torch.max(out, 1)\nrows.append(best)",
        "rows.append(torch.topk(out, 2)[1])",
        "rows.append({i: float(out[0, i]) for i in range(2)})",
        "rows.append(int(out[0, 0]))",
        "rows.append(out > 0.5)",
        "if out[0, 0] > 0.5:\n    rows.append(x)",
        "rows.append(nn.functional.softmax(out, 1).max().item())",
        "rows.append(torch.tensor(out))",
        "rows.append(numbers_of(out))",
        "show(out)",
        "for row in out:\n    print(row.tolist())",
        "for _ in range(3):\n    out = torch.sigmoid(out)\nprint(out.detach())",
    ],
)
def test_a_pass_that_takes_numbers_alone_needs_no_graph(body: str) -> None:
    assert told(body) == ["LC602"]


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "print(out.shape, out.dim())",
        "print(out.detach())\nrows.append(out)",
        "best, at = out.max(dim=1)\nrows.append(best)",
        "print(out is None, out in rows)",
        "print(out.detach())\nrows += [1]\nrows[0] = out",
        "print(out.detach())\nbank.last = out",
        "print(out.detach())\nbank.take(out)",
        "print(out.detach())\nyield out",
    ],
)
def test_who_keeps_a_graph_may_want_it(body: str) -> None:
    assert told(body) == []


@pytest.mark.parametrize("mode", ["pass", "net.train()", "net.eval()\n    net.train()"])
def test_in_train_mode_a_pass_may_be_anything(mode: str) -> None:
    assert told("print(out.detach())", mode=mode) == []


@pytest.mark.parametrize(
    ("after", "caller"), [("return out", "result.sum().backward()"), ("out.sum().backward()", "print(result)")]
)
def test_what_is_differentiated_after_all_has_a_graph_for_that(after: str, caller: str) -> None:
    assert told("print(out.detach())", after, caller) == []
    assert told("print(out.detach())", after.replace("out.sum().backward()", "print(out)"), "print(result)") == ["LC602"]


def test_who_calls_what_nobody_here_calls_may_want_the_graph() -> None:
    text = AROUND.format(body="        print(out.detach())", after="    return out", caller="", mode="net.eval()")
    alone = text[: text.index("def main")]
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    assert not check_source(alone.encode(), "gallery.py", rules).findings
    assert check_source(alone.replace("return out", "return 1").encode(), "gallery.py", rules).findings


def test_it_is_told_where_training_does_not_come_by() -> None:
    text = """
        import torch
        from torch import nn
        from torch.utils.data import DataLoader

        def run(net: nn.Module, loader: DataLoader, optimizer):
            net.train(optimizer is not None)
            for x, y in loader:
                loss = nn.functional.mse_loss(net(x), y)
                if optimizer is not None:
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                print(loss.item())

        def fit(net: nn.Module, first: DataLoader, second: DataLoader):
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            for _ in range(3):
                run(net, first, optimizer)
                run(net, second, None)
    """
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    [found] = check_source(dedent(text).encode(), "fit.py", rules).findings
    assert found.primary.row == dedent(text).split("\n").index("        run(net, second, None)") + 1
    assert found.repair
    assert found.repair.message == "put `run(net, second, None)` under `with torch.no_grad():`"


@pytest.mark.parametrize(
    ("body", "after", "result"),
    [
        ("kept.append(out.cpu())", "print(torch.cat(kept).max().item())", "print(result)"),
        ("kept.append(out)", "rows = torch.cat(kept).detach()\nreturn rows", "print(result)"),
        ("kept.append(out)", "return torch.cat(kept, dim=0)", "print(torch.cdist(result, result).mean().item())"),
        ("kept.append(out)", "return kept", "print(numbers_of(torch.stack(result)))"),
        ("kept.extend([out, out])", "print(torch.cat(kept).tolist())", "print(result)"),
        ("print(out.detach())\nkept.append(out)", "print(torch.cat(kept).argmax(1))", "print(result)"),
        ("last = out", "print(last.detach())", "print(result)"),
    ],
)
def test_numbers_may_be_taken_when_the_pass_is_over(body: str, after: str, result: str) -> None:
    assert told(body, after, result, mode="net.eval()\n    kept = []") == ["LC602"]


@pytest.mark.parametrize(
    ("body", "after", "result"),
    [
        ("kept.append(out)", "print(len(kept))", "print(result)"),
        ("kept.append(out)", "return torch.cat(kept)", "print(result.shape)"),
        ("kept.append(out)", "loss = torch.cat(kept).mean()\nloss.backward()\nprint(loss.item())", "print(result)"),
        ("kept.append(out)", "loss = torch.cat(kept).mean()\nprint(loss.item())\nloss.backward()", "print(result)"),
        ("kept.append(out)", "bank.last = torch.cat(kept)\nprint(torch.cat(kept).detach())", "print(result)"),
        ("kept.append(out)", "print(torch.cat(kept).detach())\nbank.take(torch.cat(kept))", "print(result)"),
        ("own.rows.append(out)", "print(out.detach())", "print(result)"),
        ("kept.append(out)", "return torch.cat(kept)", "print(result.detach())\nresult.sum().backward()"),
    ],
)
def test_what_is_kept_in_a_list_may_be_wanted(body: str, after: str, result: str) -> None:
    assert told(body, after, dedent(result).replace("\n", "\n    "), mode="net.eval()\n    kept, own = [], Bank()") == []


@pytest.mark.parametrize(("handed", "found"), [("kept", False), ("torch.cat(kept)", False), ("len(kept)", True)])
def test_who_calls_what_hands_out_a_list_may_want_the_graphs(handed: str, found: bool) -> None:
    after = f"    print(torch.cat(kept).detach())\n    return {handed}"
    text = AROUND.format(body="        kept.append(out)", after=after, caller="", mode="net.eval()\n    kept = []")
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    assert bool(check_source(text[: text.index("def main")].encode(), "gallery.py", rules).findings) is found


ONCE = """
import matplotlib.pyplot as plt
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
net.load_state_dict(torch.load("net.pt"))
net.eval()
points = torch.load("points.pt")
{body}
"""


@pytest.mark.parametrize(
    ("body", "is_told"),
    [
        ("plt.scatter(*net(points).detach().numpy().T)", False),
        ("if len(points):\n    plt.scatter(*net(points).detach().numpy().T)", False),
        ("found = net(points)\nprint(found.argmax(1))", False),
        ("for x in points:\n    plt.scatter(*net(x).detach().numpy().T)", True),
        ("def show(x):\n    plt.scatter(*net(x).detach().numpy().T)\nshow(points)", False),
    ],
)
def test_the_graph_of_one_batch_that_is_gone_at_once_is_told_with_less_confidence(body: str, is_told: bool) -> None:
    """A figure's script or a notebook applies a network a hundred times, each to one batch: they are less sure of it."""
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    found = check_source(ONCE.format(body=body).encode(), "figure.py", rules).findings
    assert [each.confidence for each in found] == [Confidence.HIGH if is_told else Confidence.MEDIUM]


ROUNDS = """
import torch
from torch import nn
from torch.utils.data import DataLoader
from elsewhere import contrast

def fit(net: nn.Module, images: DataLoader):
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    criterion = contrast()
    for x, y in images:
        optimizer.zero_grad()
        criterion(x, y).backward()
        optimizer.step()
    rows = []
    net.eval()
    for x, y in images:
        out = net(x)
        rows.append(out.detach().cpu().numpy())
    net.train()
    return rows

def main(images):
    net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
    for round in range(10):
        fit(net, images)
"""


def test_a_pass_that_takes_numbers_is_one_in_each_round_of_training_too() -> None:
    """The loss of each round comes out of code out of sight; of what an earlier pass has put out nothing but numbers is left."""
    rules = [rule for rule in packs.rules() if rule.code == "LC602"]
    found = check_source(ROUNDS.encode(), "rounds.py", rules).findings
    assert [(each.primary.row, each.confidence) for each in found] == [(17, Confidence.HIGH)]


@pytest.mark.parametrize(("given", "is_told"), [("dummy_input", False), ("picture", True)])
def test_what_is_tried_on_a_dummy_is_to_run_alone(given: str, is_told: bool) -> None:
    text = f"""
import torch
from torch import nn

def check():
    net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
    net.load_state_dict(torch.load("net.pt"))
    {given} = torch.load("{given}.pt")
    with torch.no_grad():
        print(net({given}).shape)

check()
"""
    rules = [rule for rule in packs.rules() if rule.code == "LC601"]
    assert bool(check_source(text.encode(), "check.py", rules).findings) is is_told


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("rows.append(out.numpy())", []),  # it raises where there is a graph: there is none, or somebody hears of it
        ("rows.append(out.cpu().numpy())", []),
        ("rows.append(out.argmax(1).numpy())", ["LC602"]),
        ("rows.append(out.detach().numpy())", ["LC602"]),
        ("rows.append(out.data.cpu().numpy())", ["LC602"]),
    ],
)
def test_what_is_made_an_array_of_by_itself_has_no_graph(body: str, found: list[str]) -> None:
    assert told(body) == found


@pytest.mark.parametrize(("taken", "rules"), [("numpy()", set()), ("detach().numpy()", {"LC602"})])
def test_where_what_is_computed_has_no_graph_what_it_is_computed_of_has_none(taken: str, rules: set[str]) -> None:
    assert set(told(f"inner = net(x)\nrows.append(net(inner).{taken})")) == rules

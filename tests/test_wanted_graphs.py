"""Whose gradients a function asks for: those of its own data, of weights, or of what somebody evaluates that it calls."""

from textwrap import dedent

import pytest
from twins import Twin, names, told

from loopcheck.read.front.source import Source

BESIDE = """
    def {of}(net, loader):
        right = 0
        for x, y in loader:
            {how}right += (net(x).argmax(1) == y.argmax(1)).sum().item()
        return right


    def train(net, loader, held_out):
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for x, y in loader:
            x.requires_grad_()
            loss = nn.functional.cross_entropy(net(x), y)
            (slope,) = torch.autograd.grad(loss, x, create_graph=True)
            optimizer.zero_grad()
            (loss + slope.norm()).backward()
            optimizer.step()
        print(evaluate(net, held_out))


    train(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)), LOADER, TEST_LOADER)
"""
UNFROZEN = """
    def main():
        net = torchvision.models.resnet18(weights="DEFAULT")
        for p in net.parameters():
            p.requires_grad = False
        for name, p in net.layer4.named_parameters():
            {unfreeze}
        optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
        for epoch in range(10):
            net.train()
            for x, y in LOADER:
                optimizer.zero_grad()
                nn.functional.cross_entropy(net(x), y).backward()
                optimizer.step()
            net.eval()
            right = 0
            for x, y in TEST_LOADER:
                {how}right += (net(x).argmax(1) == y.argmax(1)).sum().item()
            print(right)


    main()
"""
HANDED_BACK = """
    from networks import load


    def assess(path):
        net = load(path)
        net.eval()
        found = []
        for x, y in TEST_LOADER:
            z, extra = net(x)
            shown = net.{use}
            found.append(torch.sigmoid(z).detach())
        print(torch.cat(found).mean())


    assess("net.pt")
"""
BY_METHOD = """
    from elsewhere import Tagger


    def fit(loader, held_out):
        tagger = Tagger(8)
        optimizer = torch.optim.Adam(tagger.parameters())
        for epoch in range(10):
            tagger.train()
            for x, y in loader:
                optimizer.zero_grad()
                tagger.loss(x, y).backward()
                optimizer.step()
            tagger.eval()
            total = 0.0
            for x, y in held_out:
                total += tagger.{method}(x, y).item()
            print(total)


    fit(LOADER, TEST_LOADER)
"""
RIGHT = {"how": "with torch.no_grad(): "}
WRONG = {"how": ""}
TWINS: dict[str, Twin] = {
    "who trains asks for gradients of its own data": (
        "missing-no-grad", BESIDE.replace("{of}", "evaluate"), RIGHT, WRONG,
    ),
    "a loop that unfreezes": (
        "missing-no-grad", UNFROZEN.replace("{unfreeze}", "p.requires_grad = True"), RIGHT, WRONG,
    ),
    "a loop that unfreezes by a method": (
        "missing-no-grad", UNFROZEN.replace("{unfreeze}", "p.requires_grad_()"), RIGHT, WRONG,
    ),
    "what a network has computed is handed back to it": (
        "missing-no-grad", HANDED_BACK, {"use": "adapt(extra)"}, {"use": "decode(extra)"},
    ),
    "a method out of sight that training has gone back through leaves autograd on": (
        "missing-no-grad", BY_METHOD, {"method": "score"}, {"method": "loss"},
    ),
    "a loss is": (
        "missing-no-grad", HANDED_BACK.replace("z, extra", "z, loss"), {"use": "refine(loss)"}, {"use": "decode(z)"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS)
def test_the_bug_is_told_and_its_twin_is_not(twin: Twin) -> None:
    assert told(twin) == (False, True)


@pytest.mark.parametrize(
    "read",
    [
        "total = net(x).argmax(1).sum().item()",
        "total = net(x + torch.randn_like(x)).argmax(1).sum().item()",
        "for scale in range(1, 4):\n            total += net(x * scale).argmax(1).sum().item()",
    ],
)
def test_who_is_given_data_by_one_who_asks_for_its_gradient_may_keep_the_graph(read: str) -> None:
    attack = f"""
    def evaluate(net, x):
        total = 0
        {read}
        return total


    def train(net, loader):
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for x, y in loader:
            x.requires_grad_()
            loss = nn.functional.cross_entropy(net(x), y)
            (slope,) = torch.autograd.grad(loss, x, create_graph=True)
            optimizer.zero_grad()
            (loss + slope.norm()).backward()
            optimizer.step()
            print(evaluate(net, x))


    train(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)), LOADER)
    """
    assert "missing-no-grad" not in names(attack)


def test_an_input_that_is_told_to_have_a_gradient_is_no_weight() -> None:
    program = UNFROZEN.format(unfreeze="pass", how="x.requires_grad_(); ")
    assert "missing-no-grad" not in names(dedent(program))


def test_what_a_loop_of_another_function_hands_out_says_nothing_of_an_input() -> None:
    text = (
        "def thaw(net):\n    for x in net.parameters():\n        x.requires_grad_()\n\n\ndef attack(x):\n    x.requires_grad_()\n"
    )
    functions = Source.parse("a.py", text.encode()).index.functions.values()
    assert {each.name: each.asks for each in functions} == {"thaw": False, "attack": True}

"""What an optimizer has and what becomes of its gradients, each beside its twin that is right."""

from __future__ import annotations

import pytest
from twins import HEAD, Twin, told

from loopcheck import packs
from loopcheck.check import check_source
from loopcheck.loop import events
from loopcheck.read.front.source import Source
from loopcheck.read.program import Reader
from loopcheck.rule import Confidence
from loopcheck.said.scaling import speaks_of_scaling

IMAGE = """
net = torchvision.models.vgg16(weights="DEFAULT").eval()
image = {image}
optimizer = torch.optim.Adam([image], lr=0.01)
for i in range(50):
    loss = nn.functional.mse_loss(net({given}), torch.zeros(1, 1000))
    {clears}
    loss.backward()
    {before}
    optimizer.step()
    {after}
"""
ALTERNATING = """
net, noise = nn.Linear(4, 2), torch.zeros(1, 4, requires_grad=True)
of_noise, of_net = torch.optim.SGD([noise], lr=1.0), torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in LOADER:
    nn.functional.mse_loss(net(x), y).backward()
    of_net.step()
    of_net.zero_grad()
    {computed}
    loss.backward()
    of_noise.step()
    {clears}
"""
CUT = """
import numpy as np

net, noise = load("net"), load("noise").requires_grad_()
net.requires_grad_({learns})
of_noise = torch.optim.SGD([noise], lr=1.0)
for x, y in LOADER:
    loss = nn.functional.mse_loss(net({given}), y)
    loss.backward()
"""
PAIR = """
from elsewhere import Decoder, Encoder, Loss, prepare

args = argparse.ArgumentParser().parse_args()
encoder = {encoder}
decoder = {decoder}
{made}
optimizer = torch.optim.Adam(list(encoder.parameters()) + list(decoder.parameters()))
for epoch in range(args.epochs):
    for x, y in LOADER:
        loss = {loss}
        decoder.zero_grad()
        {clears}
        loss.backward()
        optimizer.step()
"""
ASKED = """
from elsewhere import MarginNet

net, {name} = nn.Linear(4, 2), MarginNet()
optimizer = torch.optim.Adam(list(net.parameters()) + list({name}.parameters()))
for x, y in LOADER:
    loss = {name}(net(x), y)
    net.zero_grad()
    loss.backward()
    optimizer.step()
"""
LIST = """
net = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 2)])
first, last = net
optimizer = torch.optim.Adam([{{"params": first.parameters()}}, {{"params": last.parameters()}}])
for x, y in LOADER:
    loss = nn.functional.mse_loss(last(first(x)), y)
    last.zero_grad()
    {clears}
    loss.backward()
    optimizer.step()
"""
WEIGHTED = """
net, weight = nn.Linear(4, 2), nn.Parameter(torch.zeros(1))
optimizer = torch.optim.Adam([*net.parameters(), weight])
for x, y in LOADER:
    loss = nn.functional.mse_loss(net(x), y) * torch.exp(-weight) + weight
    {clears}
    loss.backward()
    optimizer.step()
"""
TWO = {
    "encoder": "Encoder()",
    "decoder": "Decoder()",
    "made": "pass",
    "loss": "nn.functional.mse_loss(decoder(encoder(x)), y)",
    "clears": "pass",
}
CLIPPED = "torch.from_numpy(np.clip(noise.detach().numpy(), 0, 1))"
USED_UP = """
from itertools import islice


def asked(params):
    for p in params:
        if p.is_cuda:
            return True
    return False


net = torchvision.models.resnet18(weights="DEFAULT")
params = net.parameters()
{used}
for p in params:
    p.requires_grad = False
net.fc = nn.Linear(512, 2)
optimizer = torch.optim.SGD(net.fc.parameters(), lr=0.1)
for x, y in LOADER:
    loss = nn.functional.mse_loss(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
SUM = "print(sum(p.numel() for p in params))"
BY_OPTION = """
parser = argparse.ArgumentParser()
parser.add_argument("--amp", action="store_true")
{said}
args = parser.parse_args()
net = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in LOADER:
    x, y = x.cuda(), y.cuda()  # no scaler is needed
    with torch.cuda.amp.autocast({given}):
        loss = nn.functional.mse_loss(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
OPTION = {"said": "pass", "given": "enabled=args.amp"}
OWN = "torch.rand(1, 3, 224, 224, requires_grad=True)"
GIVEN = 'load("a.png").clone().requires_grad_(True)'
HELD = {"image": OWN, "given": "image", "clears": "pass", "before": "pass", "after": "pass"}
TWINS: dict[str, Twin] = {
    "an image that goes through a network": (
        "missing-zero-grad",
        IMAGE,
        {**HELD, "clears": "optimizer.zero_grad()"},
        HELD,
    ),
    "an image that somebody loads": (
        "missing-zero-grad",
        IMAGE,
        {**HELD, "image": GIVEN, "clears": "optimizer.zero_grad()"},
        {**HELD, "image": GIVEN},
    ),
    "an image whose gradient is cleared by hand": (
        "missing-zero-grad",
        IMAGE,
        {**HELD, "image": GIVEN, "after": "image.grad.zero_()"},
        {**HELD, "image": GIVEN, "after": "image.data.clamp_(0, 1)"},
    ),
    "an image whose gradient is multiplied by nothing": (
        "missing-zero-grad",
        IMAGE,
        {**HELD, "image": GIVEN, "after": "image.grad *= 0"},
        {**HELD, "image": GIVEN, "after": "image.grad *= 0.9"},
    ),
    "an image that is set aside where the network is cleared": (
        "missing-zero-grad",
        IMAGE,
        {**HELD, "image": GIVEN, "clears": "net.zero_grad(); image.grad = None"},
        {**HELD, "image": GIVEN, "clears": "net.zero_grad()"},
    ),
    "an image that is clipped after its step": (
        "clip-after-step",
        IMAGE,
        {**HELD, "clears": "optimizer.zero_grad()", "before": "nn.utils.clip_grad_norm_([image], 1.0)"},
        {**HELD, "clears": "optimizer.zero_grad()", "after": "nn.utils.clip_grad_norm_([image], 1.0)"},
    ),
    "an image that is given in another form": (
        "missing-zero-grad",
        IMAGE,
        {**HELD, "image": GIVEN, "given": "image.lerp(torch.ones(1), 0.5)", "clears": "optimizer.zero_grad()"},
        {**HELD, "image": GIVEN, "given": "image.lerp(torch.ones(1), 0.5)"},
    ),
    "an image that is told to have a gradient where it is given": (
        "missing-zero-grad",
        IMAGE.replace("[image]", "[image.requires_grad_()]"),
        {**HELD, "image": 'load("a.png")', "clears": "optimizer.zero_grad()"},
        {**HELD, "image": 'load("a.png")'},
    ),
    "both of two networks": (
        "missing-zero-grad",
        PAIR,
        {**TWO, "clears": "encoder.zero_grad()"},
        TWO,
    ),
    "gradients that are set aside one by one": (
        "missing-zero-grad",
        PAIR,
        {**TWO, "clears": "for p in encoder.parameters():\n            p.grad = None"},
        TWO,
    ),
    "gradients that are cleared where there are any": (
        "missing-zero-grad",
        PAIR,
        {**TWO, "clears": "for p in encoder.parameters():\n            if p.sum() > 0:\n                p.grad.zero_()"},
        TWO,
    ),
    "a network that may hold the other": (
        "missing-zero-grad",
        PAIR,
        {**TWO, "decoder": "Decoder(encoder)"},
        TWO,
    ),
    "a network that is given to what nobody sees": (
        "missing-zero-grad",
        PAIR,
        {**TWO, "made": "prepare(encoder, decoder)"},
        TWO,
    ),
    "a network that a loss does not go back to": (
        "missing-zero-grad",
        PAIR,
        {**TWO, "loss": "nn.functional.mse_loss(decoder(encoder(x).detach()), y)"},
        TWO,
    ),
    "a network that may be frozen": (
        "missing-zero-grad",
        PAIR,
        {**TWO, "made": "for p in encoder.parameters(): p.requires_grad = args.tuned"},
        TWO,
    ),
    "a network whose layers are cleared": (
        "missing-zero-grad",
        PAIR,
        {**TWO, "clears": "encoder.layers.zero_grad()"},
        TWO,
    ),
    "a network that becomes a part of the other": (
        "missing-zero-grad",
        PAIR,
        {**TWO, "made": "decoder.encoder = encoder"},
        TWO,
    ),
    "a criterion that is asked for parameters": (
        "missing-zero-grad",
        ASKED,
        {"name": "criterion"},
        {"name": "head"},
    ),
    "a list of networks that is cleared as one": (
        "missing-zero-grad",
        LIST,
        {"clears": "net.zero_grad()"},
        {"clears": "pass"},
    ),
    "a weight of a loss beside a network": (
        "missing-zero-grad",
        WEIGHTED,
        {"clears": "optimizer.zero_grad()"},
        {"clears": "net.zero_grad()"},
    ),
    "a generator that is used up for a sum, and a list": (
        "exhausted-parameter-generator",
        USED_UP,
        {"used": "params = list(params)\nprint(sum(p.numel() for p in params))"},
        {"used": SUM},
    ),
    "a generator of which the first is asked": (
        "exhausted-parameter-generator",
        USED_UP,
        {"used": "print(next(p for p in params).device)"},
        {"used": SUM},
    ),
    "a generator that is asked for any": (
        "exhausted-parameter-generator",
        USED_UP,
        {"used": "print(any(p.is_cuda for p in params))"},
        {"used": SUM},
    ),
    "a generator expression that nobody draws from": (
        "exhausted-parameter-generator",
        USED_UP,
        {"used": "sizes = (p.numel() for p in params)"},
        {"used": "sizes = (p.numel() for p in params)\nprint(list(sizes))"},
    ),
    "a generator that a loop leaves": (
        "exhausted-parameter-generator",
        USED_UP,
        {"used": "for p in params:\n    print(p.shape)\n    break"},
        {"used": "for p in params:\n    print(p.shape)"},
    ),
    "a generator that a function leaves": (
        "exhausted-parameter-generator",
        USED_UP,
        {"used": "asked(params)"},
        {"used": "print([p.shape for p in params])"},
    ),
    "a generator beside others": (
        "exhausted-parameter-generator",
        USED_UP,
        {"used": "for i, p in zip(range(2), params):\n    print(i, p.shape)"},
        {"used": "for i, p in enumerate(params):\n    print(i, p.shape)"},
    ),
    "a part of a generator": (
        "exhausted-parameter-generator",
        USED_UP,
        {"used": "print([p.shape for p in islice(params, 2)])"},
        {"used": "print([p.shape for p in params])"},
    ),
    "a generator that is used up by some runs alone": (
        "exhausted-parameter-generator",
        USED_UP,
        {"used": "if net.training:\n    print([p.shape for p in params])"},
        {"used": "print([p.shape for p in params])"},
    ),
    "a scale that an option speaks of": (
        "fp16-without-scaler",
        BY_OPTION,
        {**OPTION, "said": 'parser.add_argument("--bf16", action="store_true")'},
        OPTION,
    ),
    "a scale that somebody else has": (
        "fp16-without-scaler",
        BY_OPTION,
        {**OPTION, "said": "from elsewhere import LossScaler as Loss"},
        OPTION,
    ),
    "a type that is a setting": (
        "fp16-without-scaler",
        BY_OPTION,
        {**OPTION, "given": "enabled=args.amp, dtype=getattr(torch, args.dtype)"},
        OPTION,
    ),
    "a test of data": (
        "fp16-without-scaler",
        BY_OPTION,
        {**OPTION, "given": "enabled=x.is_pinned"},
        OPTION,
    ),
    "an autocast that is on where nothing learns": (
        "fp16-without-scaler",
        BY_OPTION,
        {**OPTION, "given": "enabled=args.is_inference"},
        OPTION,
    ),
    "an autocast that is on where somebody else chooses it": (
        "fp16-without-scaler",
        BY_OPTION,
        {**OPTION, "given": "enabled=chosen(args)"},
        OPTION,
    ),
    "noise that a criterion is given, beside a network": (
        "missing-zero-grad",
        ALTERNATING,
        {"computed": "loss = nn.functional.mse_loss(x + noise, torch.ones(2, 4))", "clears": "of_noise.zero_grad()"},
        {"computed": "loss = nn.functional.mse_loss(x + noise, torch.ones(2, 4))", "clears": "pass"},
    ),
    "noise of which a loss is computed by hand, beside a network": (
        "missing-zero-grad",
        ALTERNATING,
        {"computed": "loss = ((x + noise - 1) ** 2).mean()", "clears": "of_noise.zero_grad()"},
        {"computed": "loss = ((x + noise - 1) ** 2).mean()", "clears": "pass"},
    ),
}


OF_EITHER = """
import itertools
import sys

if sys.argv[1] == "small":
    net = nn.Sequential(nn.Linear(4, 2), nn.Dropout(0.5))
else:
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2), nn.Dropout(0.5))
optimizer = torch.optim.SGD({params}, lr=0.1)
for x, y in LOADER:
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
    {clears}
"""
TWINS |= {
    f"an optimizer of what either of two networks has, {params}": (
        "missing-zero-grad",
        OF_EITHER,
        {"params": params, "clears": "optimizer.zero_grad()"},
        {"params": params, "clears": "pass"},
    )
    for params in (
        "filter(lambda p: p.requires_grad, net.parameters())",
        "list(filter(lambda p: p.requires_grad, net.parameters()))",
        "reversed(list(net.parameters()))",
        "list(net.parameters()) + list(net.parameters())",
        "iter(net.parameters())",
        "dict(net.named_parameters()).values()",
        "itertools.chain(net.parameters())",
    )
}


PROXIES = """
from pytorch_metric_learning import losses

net, criterion = nn.Linear(4, 2), losses.{loss}(10, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
of_proxies = torch.optim.SGD(criterion.parameters(), lr=1.0)
for x, y in LOADER:
    optimizer.zero_grad()
    {clears}
    criterion(net(x), y).backward()
    optimizer.step()
    of_proxies.step()
"""
TWINS |= {
    f"a loss with weights of its own, {loss}": (
        "missing-zero-grad",
        PROXIES,
        {"loss": loss, "clears": "of_proxies.zero_grad()"},
        {"loss": loss, "clears": "pass"},
    )
    for loss in ("ProxyAnchorLoss", "ArcFaceLoss")
}

SWAPPED = """
import copy


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 2))
        self.average = copy.deepcopy(self.body)

    def forward(self, x):
        return self.body(x)

    def averaged(self, x):
        kept = self.body
        self.body = {other}
        try:
            return self(x)
        finally:
            self.body = kept


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in LOADER:
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
    with torch.no_grad():
        print(net.averaged(x))
"""
TWINS["a part that is put in the place of another, and back"] = (
    "layer-replaced-after-optimizer",
    SWAPPED,
    {"other": "self.average"},
    {"other": "nn.Sequential(nn.Linear(4, 2))"},
)


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


def test_an_element_of_what_an_optimizer_is_given_is_a_tensor_for_sure() -> None:
    program = HEAD + IMAGE.format(**{**HELD, "image": GIVEN})
    (found,) = check_source(program.encode(), "train.py", packs.rules()).findings
    assert found.confidence is Confidence.HIGH


@pytest.mark.parametrize("given", ["x + noise", "x + noise.view(1, -1)"])
def test_what_is_computed_of_a_tensor_goes_back_to_it(given: str) -> None:
    assert goes_back(given) == {"net", "noise"}


@pytest.mark.parametrize("given", ["x + noise.data", "x + noise.detach()", "clamped(x, noise.grad)", CLIPPED])
def test_what_is_computed_of_the_numbers_of_a_tensor_does_not_go_back_to_it(given: str) -> None:
    assert goes_back(given) == {"net"}


def test_a_network_that_somebody_loads_may_be_told_to_have_no_gradient() -> None:
    assert goes_back("x + noise", learns=False) == {"noise"}


def goes_back(given: str, learns: bool = True) -> set[str]:
    """What the loss of an output goes back to that is computed of this."""
    source = Source.parse("train.py", (HEAD + CUT.format(given=given, learns=learns)).encode())
    (backward,) = (event for entry in Reader(source).read() for event in events(entry) if event.verb == "backward")
    return {role.name for role in backward.on}


@pytest.mark.parametrize(
    ("code", "speaks"),
    [
        ("# no scaler\nx = 1", False),
        ("scaler = None", True),
        ("use(loss_scale=2)", True),
        ("%matplotlib inline\nscaler = None", True),
        ("x = 1", False),
    ],
)
def test_what_speaks_of_a_loss_scale(code: str, speaks: bool) -> None:
    assert speaks_of_scaling(code) is speaks

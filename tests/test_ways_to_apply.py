"""Ways in which people apply networks that are trained already, each right: nothing is told of any, and of one left in train mode
something is."""

from __future__ import annotations

import pytest

from loopcheck import packs
from loopcheck.check import check_source

HEAD = """
import argparse, copy, functools, torch
from dataclasses import dataclass
from types import SimpleNamespace
from torch import nn
from torchvision import models
"""
LOADED = """
net = models.resnet18(num_classes=10)
net.load_state_dict(torch.load("net.pt"))
"""
SEVERAL = """
def load(path):
    net = models.resnet18(num_classes=10)
    net.load_state_dict(torch.load(path))
    return net
nets = [load(path) for path in paths]
"""
LAYERS = """
def load(path):
    net = nn.Sequential(nn.Linear(4, 4), nn.Dropout())
    net.load_state_dict(torch.load(path))
    return net
nets = [load(path) for path in paths]
"""
PASS = """
hits = 0
with torch.no_grad():
    for x, y in test_loader:
        hits += (net(x).argmax(1) == y).sum().item()
print(hits)
"""
VOTES = """
hits = 0
with torch.no_grad():
    for x, y in test_loader:
        hits += (torch.stack([net(x) for net in nets]).mean(0).argmax(1) == y).sum().item()
print(hits)
"""
HELD_BY = {
    "dataclass": """
        @dataclass
        class Bundle:
            net: nn.Module
            def __post_init__(self):
                self.net.eval()
        bundle = Bundle(net)
    """,
    "namespace": """
        bundle = SimpleNamespace(net=net)
        bundle.net.eval()
    """,
    "options": """
        options = argparse.Namespace(net=net, epoch=3)
        options.net.eval()
    """,
    "setattr": """
        options = argparse.Namespace()
        setattr(options, "net", net)
        options.net.eval()
    """,
    "all that is given": """
        class Bundle:
            def __init__(self, **given):
                for name, value in given.items():
                    setattr(self, name, value)
        bundle = Bundle(net=net)
        bundle.net.eval()
    """,
    "a name that nobody knows": """
        bundle = SimpleNamespace()
        setattr(bundle, input(), net)
        bundle.net.eval()
    """,
}
MADE_EVAL = [
    "from torchvision.models.feature_extraction import create_feature_extractor\n"
    "net = create_feature_extractor(models.resnet50(weights='DEFAULT').eval(), ['flatten'])",
    "from torchvision.models._utils import IntermediateLayerGetter\n"
    "net = IntermediateLayerGetter(models.resnet50(weights='DEFAULT').eval(), {'layer4': 'out'})",
    "net = models.get_model('resnet50', weights='DEFAULT').eval()",
    "base = models.resnet50(weights='DEFAULT').eval()\nnet = nn.Sequential(*list(base.children())[:-1], nn.Flatten())",
]
ALL_OF_THEM = [
    "for net in nets: net.eval()",
    "for index, net in enumerate(nets): net.eval()",
    "for net in nets:\n    net.to('cuda')\n    net.eval()",
    "for net in nets:\n    net.eval().to('cuda')\n    for p in net.parameters(): p.requires_grad = False",
    "[net.eval() for net in nets]",
    "nets = [net.eval() for net in nets]",
    "list(map(lambda net: net.eval(), nets))",
    "nets = tuple(map(lambda each: each.cuda().eval(), nets))",
]
READY_MADE = [
    ("models.resnet18(weights='DEFAULT')", True),
    ("models.vit_b_16(weights='DEFAULT')", False),
    ("models.get_model('vit_b_16')", False),
    ("models.vit_b_16(dropout=0.1)", None),
    ("models.vit_b_16(**options)", None),
    ("models.convnext_tiny()", True),
    ("models.detection.fasterrcnn_resnet50_fpn(num_classes=3)", False),
    ("models.detection.fasterrcnn_resnet50_fpn(weights_backbone=None)", None),
    ("models.detection.fasterrcnn_resnet50_fpn_v2()", True),
    ("models.detection.FasterRCNN(backbone, 3)", None),
    ("models.detection.faster_rcnn.FastRCNNPredictor(8, 3)", False),
    ("timm.create_model('resnet50', pretrained=True)", True),
    ("timm.create_model(name)", True),
    ("timm.create_model('vit_small_patch16_224', num_classes=0)", False),
    ("timm.create_model(model_name='convnext_tiny')", False),
    ("timm.create_model('vit_small_patch16_224', drop_path_rate=0.1)", None),
]


def told(program: str) -> list[tuple[str, str]]:
    compile(program, "test.py", "exec")
    report = check_source((HEAD + program).encode(), "test.py", packs.rules())
    return [(each.rule.code, str(each.confidence)) for each in report.findings if each.rule.group == "bug"]


def outdented(text: str) -> str:
    return text.replace("\n        ", "\n")


@pytest.mark.parametrize("how", HELD_BY)
def test_a_network_is_put_in_eval_mode_by_what_holds_it(how: str) -> None:
    assert told(LOADED + outdented(HELD_BY[how]) + PASS) == []


@pytest.mark.parametrize("how", MADE_EVAL)
def test_what_is_made_of_a_network_is_in_its_mode(how: str) -> None:
    assert told(f"{how}\n{PASS}") == []


@pytest.mark.parametrize("makes", [SEVERAL, LAYERS])
@pytest.mark.parametrize("how", ALL_OF_THEM)
def test_what_is_done_to_each_of_many_is_done_to_all(how: str, makes: str) -> None:
    assert told(f"{makes}\n{how}\n{VOTES}") == []


@pytest.mark.parametrize("makes", [SEVERAL, LAYERS])
@pytest.mark.parametrize("how", ["", "for net in nets:\n    if net.fc.out_features == 3: net.eval()", "nets[0].eval()"])
def test_what_is_done_to_some_is_not(how: str, makes: str) -> None:
    assert [code for code, _ in told(f"{makes}\n{how}\n{VOTES}")] == ["LC601"]


@pytest.mark.parametrize(("made", "moded"), READY_MADE)
def test_ready_made_networks_have_modes_or_none(made: str, moded: bool | None) -> None:
    found = told(f"import timm\nnet = {made}\n{PASS.replace('argmax(1) == y', 'sum()')}")
    assert [code for code, sure in found if sure != "low"] == (["LC601"] if moded else [])
    assert moded is not None or found


RECALIBRATED = """
def recalibrate(net, loader):
    net.train()
    for x, _ in loader:
        net(x)
    net.eval()
with torch.no_grad():
    recalibrate(net, train_loader)
"""


def test_statistics_are_taken_in_train_mode_by_what_nobody_looks_at() -> None:
    assert told(LOADED + RECALIBRATED + PASS) == []
    shown = RECALIBRATED.replace("    net(x)", "    print(net(x).mean())")
    assert told(LOADED + shown + PASS) == []  # its name says that the mode is meant
    assert [code for code, _ in told(LOADED + shown.replace("recalibrate", "show") + PASS)] == ["LC601"]


SAMPLED = """
class Sampled(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Parameter(torch.zeros(4, 4))
        self.norm = nn.BatchNorm1d(4)
    def forward(self, x):
        weight = self.mean + torch.randn_like(self.mean) if self.training else self.mean
        return self.norm(x @ weight)
net = Sampled()
net.load_state_dict(torch.load("net.pt"))
net.train()
net.norm.eval()
"""


def test_a_network_is_in_train_mode_for_more_than_its_layers() -> None:
    assert told(SAMPLED + PASS) == []
    assert [code for code, _ in told(SAMPLED.replace("net.norm.eval()\n", "") + PASS)] == ["LC601"]

"""Bugs that are written the everyday way, in parts that know of each other, each beside its twin that is right."""

from __future__ import annotations

import pytest
from twins import Twin, names, told

from loopcheck.read.triage import worth_reading

FOCAL = """
def focal_loss(pred, target, gamma=2.0, logits=True):
    if pred.shape[1] == 1:
        pred = {inner_sigmoid}
    else:
        pred = {inner}
    weight = torch.pow(1 - pred, gamma)
    return -(weight * torch.log({logged}) * target).sum(1).mean()


class {cls}(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.classes = classes

    def forward(self, pred, target):
        if self.classes == 1:
            pred = {outer_sigmoid}
        else:
            pred = {outer}
        return focal_loss({handed})
"""
TWICE = {
    "cls": "Focal",
    "inner_sigmoid": "torch.sigmoid(pred)",
    "inner": "nn.functional.softmax(pred, dim=1)",
    "logged": "pred",
    "outer_sigmoid": "torch.sigmoid(pred)",
    "outer": "nn.functional.softmax(pred, dim=1).float()",
    "handed": "pred, target",
}
SOFTMAX = "softmax-before-cross-entropy"
TWINS: dict[str, Twin] = {
    "a loss hands probabilities to a function that takes logits": (
        SOFTMAX,
        FOCAL,
        {**TWICE, "outer": "pred", "outer_sigmoid": "pred"},
        TWICE,
    ),
    "by a keyword": (SOFTMAX, FOCAL, {**TWICE, "handed": "target, target=pred"}, {**TWICE, "handed": "target=target, pred=pred"}),
    "probabilities of one row as a whole": (
        SOFTMAX,
        FOCAL,
        {**TWICE, "inner": "nn.functional.softmax(pred, dim=2)"},
        {**TWICE, "inner": "nn.functional.softmax(pred, dim=-1)"},
    ),
    "they are logged as they are handed": (SOFTMAX, FOCAL, {**TWICE, "inner": "pred", "inner_sigmoid": "pred"}, TWICE),
    "on some ways alone they are made anew": (SOFTMAX, FOCAL, {**TWICE, "inner_sigmoid": "pred"}, TWICE),
    "they are sharpened": (SOFTMAX, FOCAL, {**TWICE, "inner": "nn.functional.softmax(pred / 0.1, dim=1)"}, TWICE),
    "on some ways alone they are handed": (SOFTMAX, FOCAL, {**TWICE, "outer_sigmoid": "pred"}, TWICE),
    "something else is logged": (SOFTMAX, FOCAL, {**TWICE, "logged": "target"}, TWICE),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


@pytest.mark.parametrize(
    ("function", "wrong"), [("focal_loss", True), ("focal", False), ("decorated_loss", False), ("imported_loss", False)]
)
def test_a_function_that_is_handed_probabilities_is_a_loss_by_its_name_and_seen(function: str, wrong: bool) -> None:
    program = FOCAL.format(**TWICE).replace("focal_loss", function)
    program = program.replace("def decorated_loss", "@functools.wraps(print)\ndef decorated_loss")
    program = program.replace("def imported_loss", "from losses import imported_loss\n\n\ndef other_loss")
    assert (SOFTMAX in names(program)) == wrong


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("def focal_loss(p, y):\n    return -(torch.log(torch.softmax(p, 1)) * y).sum()\n", True),
        ("def entropy(p, y):\n    return -(torch.log(torch.softmax(p, 1)) * y).sum()\n", False),
        ("def focal_loss(p, y):\n    return -(torch.exp(torch.softmax(p, 1)) * y).sum()\n", False),
        ("def focal_loss(p, y):\n    return -(torch.log(p) * y).sum()\n", False),
    ],
)
def test_a_file_is_read_in_which_losses_take_logarithms_of_probabilities(text: str, read: bool) -> None:
    assert worth_reading(b"import torch\n\n\n" + text.encode()) == read

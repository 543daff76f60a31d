"""What comes to pass on the first pass of all loops: a counter or a flag that only an inner loop moves goes on from there."""

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

TRAINING = """
    import torch
    from config import config
    from torch import nn

    model = nn.Linear(3, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=config.lr)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    {before}
    for epoch in range(config.begin, config.epochs):
        {first}
        for x, y in loader:
            {test}
                scheduler.step()
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
            {after}
"""


def found(before: str = "pass", first: str = "pass", test: str = "if True:", after: str = "pass") -> list[str]:
    text = dedent(TRAINING).format(before=before, first=first, test=test, after=after)
    rules = [rule for rule in packs.rules() if rule.code == "LC501"]
    return [each.rule.code for each in check_source(text.encode(), "train.py", rules).findings]


@pytest.mark.parametrize(
    ("before", "test", "after", "told"),
    [
        ("n = 0", "if n > 0:", "n += 1", False),
        ("n = 0", "if n > 0 and config.scheduled:", "n = n + 1", False),
        ("n = 0", "if n >= 1:", "n += 1", False),
        ("n = 0", "if n != 0:", "n += 1", False),
        ("n = 0", "if n + 1 > 1:", "n += 1", False),
        ("n = 0", "if n % config.every != 0:", "n += 1", False),
        ("n = 0", "if n > 0 and n % config.every == 0:", "n += 1", False),
        ("n = 1", "if n > 0:", "n += 1", True),
        ("n = 0", "if n >= 0:", "n += 1", True),
        ("n = 0", "if n == 0:", "n += 1", True),
        ("n = 0", "if n % config.every == 0:", "n += 1", True),
        ("started = False", "if started:", "started = True", False),
        ("started = True", "if started:", "started = True", True),
        ("first = True", "if not first:", "first = False", False),
    ],
)
def test_a_variable_that_an_inner_loop_moves_goes_on_from_what_it_was(before: str, test: str, after: str, told: bool) -> None:
    assert found(before, "pass", test, after) == ["LC501"] * told


@pytest.mark.parametrize("test", ["if n > 0:", "if n != 0:"])
def test_what_each_epoch_sets_anew_is_no_count_of_all_steps(test: str) -> None:
    assert found("n = 5", "n = 3", test, "n += 1") == ["LC501"]


@pytest.mark.parametrize(
    ("test", "told"),
    [
        ("if epoch >= config.warmup: scheduler.step()", False),
        ("if not epoch < config.warmup: scheduler.step()", False),
        ("if not epoch <= config.warmup: scheduler.step()", False),
        ("scheduler.step() if epoch >= config.warmup else None", False),
        ("if epoch < config.until: scheduler.step()", True),
        ("if not epoch > config.until: scheduler.step()", True),
    ],
)
def test_what_is_to_happen_above_a_number_is_not_to_happen_from_the_start(test: str, told: bool) -> None:
    assert found(first=test, test="if False:") == ["LC501"] * told

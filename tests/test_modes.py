"""Which layers differ between train and eval mode: both judges know it of every layer of torch, with and without its options."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from torch import nn
from worth import read

from loopcheck.api import MODED, OWN_STATISTICS
from loopcheck.loop import events
from loopcheck.record.cast import _moded

SIZES = ["", "4", "4, 4", "4, 4, 1"]


def made(code: str) -> nn.Module | None:
    """What the code makes; None where that is no layer, or it lacks an argument."""
    try:
        module = eval(code, {"nn": nn})
    except (TypeError, ValueError, AssertionError):
        return None
    return module if isinstance(module, nn.Module) and not isinstance(module, nn.DataParallel) else None


def layers() -> Iterator[str]:
    """Every layer of torch, as it is made with as little as it needs; those that may differ with their option on and off."""
    for name, each in vars(nn).items():
        if isinstance(each, type) and issubclass(each, nn.Module) and not name.endswith("Loss"):
            plain = next((code for sizes in SIZES if made(code := f"nn.{name}({sizes})")), None)
            if plain is not None:
                yield plain
                if name in MODED:
                    joint = "" if plain.endswith("()") else ", "
                    yield from (f"{plain[:-1]}{joint}{MODED[name].option}={worth})" for worth in (0.0, 0.5))


def by_place(name: str) -> str | None:
    """A layer with its option given by its place, on where it is off by itself."""
    mode = MODED[name]
    for before in range(mode.place):
        given = ["4"] * before + ["False"] * (mode.place - before)
        code = f"nn.{name}({', '.join([*given, '0.0' if mode.default else '0.5'])})"
        if (module := made(code)) is not None and bool(getattr(module, mode.option, None)) is not bool(mode.default):
            return code
    return None


@pytest.mark.parametrize("code", [*layers(), *(code for name in MODED if (code := by_place(name)))])
def test_judges_agree(code: str) -> None:
    _, program = read(f"from torch import nn\n\nnet = {code}\nnet.eval()\n")
    (told,) = [event.facts.get("moded") for event in events(program.entries[0].body) if event.verb == "evaluate"]
    module = made(code)
    assert module is not None
    in_doubt = MODED.get(type(module).__name__) is OWN_STATISTICS and _moded(module)  # it may be meant so
    assert told is (None if in_doubt else _moded(module))


CHOSEN = """\
import functools
from torch import nn
from settings import options


def norm_of(name):
    if name == "batch":
        return functools.partial(nn.BatchNorm1d, affine=True)
    return functools.partial(nn.InstanceNorm1d, affine=False)


class Block(nn.Module):
    def __init__(self, width, norm_layer, drops=False):
        super().__init__()
        layers = [nn.Conv1d(width, width, 3), norm_layer(width)]
        if drops:
            layers += [nn.Dropout(0.5)]
        self.layers = nn.Sequential(*layers)


class Network(nn.Module):
    def __init__(self, width, norm_layer=nn.BatchNorm1d):
        super().__init__()
        self.block = Block(width, norm_layer)


"""


@pytest.mark.parametrize(
    ("made", "moded"),
    [
        ("Network(8)", True),
        ("Block(8, nn.Identity, drops=True)", True),
        ("Network(8, norm_of(options.norm))", None),
    ],
)
def test_layers_that_an_option_chooses(made: str, moded: bool | None) -> None:
    _, program = read(f"{CHOSEN}net = {made}\nnet.eval()\n")
    (told,) = [event.facts.get("moded") for event in events(program.entries[0].body) if event.verb == "evaluate"]
    assert told is moded

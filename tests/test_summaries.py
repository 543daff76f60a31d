"""Summaries: what an inert function leaves and hands out, and which functions are not inert."""

from __future__ import annotations

import pytest
from worth import read, value_of

from loopcheck.loop import events
from loopcheck.read.domain.state import WORLD
from loopcheck.read.domain.values import Const, Function
from loopcheck.read.interpret.machine import Machine

HEAD = """\
from torch import nn
from torch.optim import SGD
from somewhere import call, parameters

model = nn.Linear(2, 2)
optimizer = SGD(parameters)


"""
LONG = "".join(f"    call.option(n, {at})\n" for at in range(10)) + "    call.train()\n"
"""So much, and a word, that it is not taken for code that cannot matter."""


def program(code: str) -> Machine:
    return read(HEAD + code.replace("    ...\n", LONG))[0]


def summarised(m: Machine, name: str) -> bool:
    """Whether a function was not interpreted at its call sites."""
    function = m.state.heap[(m.state.frame, name)]
    assert isinstance(function, Function)
    found = m.modules.summaries.get(function.code, {})
    return bool(found) and all(found.values())


@pytest.mark.parametrize(
    ("left", "worth"),
    [
        ("config['steps'] = 5", "5"),
        ("config['steps'] = n", "7"),
        ("config['steps'] = call.random().value", None),
    ],
)
def test_what_is_left_in_an_argument(left: str, worth: str | None) -> None:
    m = program(f"def helper(n, config):\n    ...\n    {left}\n\n\nconfig = call()\nhelper(7, config)\nsteps = config['steps']\n")
    assert summarised(m, "helper")
    if worth is None:
        assert value_of(m, "steps") != "Symbol(config['steps'])"  # whatever it was before
    else:
        assert value_of(m, "steps") == worth


@pytest.mark.parametrize("place", ["nn.functional.relu", "call.kernels['fast'].run"])
def test_what_a_program_puts_in_the_place_of_a_librarys_function_is_no_matter(place: str) -> None:
    m = program(f"def helper(n):\n    ...\n    {place} = lambda x: optimizer.step()\n\n\nhelper(7)\n{place}(1)\n")
    assert summarised(m, "helper")
    assert [event.verb for region in m.state.out for event in events(region)] == []


@pytest.mark.parametrize(("left", "worth"), [("n", "7"), ("call.random().value", "Symbol(left)")])
def test_what_is_left_in_the_module(left: str, worth: str) -> None:
    m = program(f"steps = 1\n\n\ndef helper(n):\n    global steps\n    ...\n    steps = {left}\n\n\nhelper(7)\nleft = steps\n")
    assert summarised(m, "helper")
    assert value_of(m, "left") == worth


def test_what_is_left_in_the_object() -> None:
    code = (
        "class Options:\n    def __init__(self):\n        self.steps = 1\n\n    def load(self, n):\n        call.train()\n"
        "        self.steps = n + 1\n        self.other = call.random()\n\n\n"
        "options = Options()\noptions.load(2)\nsteps = options.steps\n"
    )
    assert value_of(program(code), "steps") == "3"


def test_what_a_function_does_not_only_for_itself() -> None:
    """The attribute of an unknown object that it was handed: nobody may take it for what it was."""
    m = program(
        "def helper(n, args):\n    ...\n    args.inner.flag = False\n\n\nargs = call()\nhelper(7, args)\nflag = args.inner.flag\n"
    )
    assert summarised(m, "helper")
    assert value_of(m, "flag") == "False"


@pytest.mark.parametrize(
    "act",
    ["optimizer.step()", "model.eval()", "loss.backward()", "built = nn.Linear(2, 2)", "given.train()"],
)
def test_what_acts_is_interpreted_where_it_is_called(act: str) -> None:
    code = f"def helper(n, given, loss):\n    ...\n    {act}\n\n\nhelper(1, model, call())\nhelper(1, model, call())\n"
    reader, found = read(HEAD + code.replace("    ...\n", LONG))
    assert not summarised(reader, "helper")
    met = [event.verb for entry in found.entries for event in events(entry)]
    assert max(met.count(verb) for verb in ("step", "evaluate", "backward", "build", "train")) >= 2


@pytest.mark.parametrize(
    ("returned", "inert"),
    [("call(n)", True), ("Plain(n)", True), ("Runner(n)", False), ("lambda: optimizer.step()", False)],
)
def test_what_is_handed_out(returned: str, inert: bool) -> None:
    """An object whose methods do nothing is as good as an unknown one; of others the methods have to be known."""
    classes = (
        "class Plain:\n    def __init__(self, n):\n        self.n = n\n\n\n"
        "class Runner:\n    def __init__(self, n):\n        self.n = n\n\n    def go(self):\n        optimizer.step()\n\n\n"
    )
    m = program(f"{classes}def helper(n):\n    ...\n    return {returned}\n\n\nx = helper(call())\n")
    assert summarised(m, "helper") is inert


def test_who_is_handed_to_code_out_of_sight() -> None:
    code = "def helper(n, given):\n    ...\n    call.mystery(given)\n\n\nmodel.eval()\nhelper(1, model)\n"
    reader, found = read(HEAD + code.replace("    ...\n", LONG))
    assert summarised(reader, "helper")
    escapes = [event for entry in found.entries for event in events(entry) if event.verb == "escape"]
    assert [[role.name for role in event.on] for event in escapes] == [["model"]]


def test_a_function_is_told_from_another() -> None:
    """What a callback does is not known by what another one did."""
    code = (
        "def quiet(n):\n    return n\n\n\ndef loud(n):\n    optimizer.step()\n\n\n"
        "def helper(n, then):\n    ...\n    then(n)\n\n\nhelper(1, quiet)\nhelper(1, loud)\n"
    )
    _, found = read(HEAD + code.replace("    ...\n", LONG))
    module, *others = found.entries
    assert [event.verb for event in events(module)].count("step") == 1
    assert not others, "where it is called back it is read"


def test_going_through_a_generator_of_its_own_is_a_functions_own_affair() -> None:
    m = program(
        "def helper(model, n):\n    ...\n    kept = []\n"
        "    for name, param in model.named_parameters():\n        kept.append(param)\n"
        "    return n\n\n\nhelper(model, 7)\n"
    )
    assert summarised(m, "helper")


def test_a_group_that_a_function_joins_is_joined_where_it_is_called() -> None:
    m = program(
        "from torch import distributed\n\n\ndef helper(n, several):\n    ...\n    if several:\n"
        "        distributed.init_process_group('nccl', world_size=n)\n    else:\n        n = distributed.is_initialized()\n"
        "    return n\n\n\n"
        "options = call()\nfound = helper(7, options.several)\n"
        "if not options.several:\n    alone = distributed.is_initialized()\nelse:\n    beside = distributed.is_initialized()\n"
    )
    assert summarised(m, "helper")
    assert m.state.heap.get(WORLD) == Const(7)
    assert value_of(m, "alone") == "False"
    assert value_of(m, "beside") != "False"
    assert "False" not in value_of(m, "found"), "who calls it may have joined others before"

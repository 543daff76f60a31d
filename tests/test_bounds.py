"""Every bound of the reader, from both sides: what lies just within it is read, what lies beyond is not, and that is told.

The bounds are written out here: a test that asked for them would follow them wherever they went.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from worth import read, value_of

from loopcheck import packs
from loopcheck.check import check_source
from loopcheck.loop import events
from loopcheck.read import text
from loopcheck.read.depth import entangled
from loopcheck.read.domain import counts
from loopcheck.read.domain.parts import parts_of
from loopcheck.read.domain.terms import Term, constant
from loopcheck.read.domain.values import Const, Function, Items, Symbol, Tensor, weight
from loopcheck.read.front import concrete, source
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.operators import folded
from loopcheck.read.library import Library
from loopcheck.read.program import Program, Reader
from loopcheck.read.text import SourceError, exceeds, parse

STEPS = """\
from torch.optim import SGD
from somewhere import parameters

optimizer = SGD(parameters)


def once(optimizer):
    optimizer.step()


"""


def count(program: Program, verb: str = "step") -> int:
    return sum(event.verb == verb for entry in program.entries for event in events(entry))


def steps(code: str) -> tuple[int, tuple[str, ...]]:
    """How many steps were met after the head, and what is told of the rest."""
    _, program = read(STEPS + code)
    return count(program), program.cut


def nested(depth: int) -> str:
    """Functions that call one another, so many inside one another; the last one steps."""
    inner = "".join(f"def f{at}(optimizer):\n    f{at + 1}(optimizer)\n\n\n" for at in range(1, depth - 1))
    return f"{inner}def f{depth - 1}(optimizer):\n    once(optimizer)\n\n\nf1(optimizer)\n"


# the interpreter


def test_how_deep_calls_are_followed() -> None:
    assert steps(nested(12)) == (1, ())
    assert steps(nested(13)) == (0, ("once: calls lie too deep",))


def test_how_many_calls_of_an_entry_are_followed() -> None:
    assert steps("once(optimizer)\n" * 2000) == (2000, ())
    assert steps("once(optimizer)\n" * 2003) == (2000, ("once: too much was read before it",))


def test_how_many_calls_are_followed_in_all() -> None:
    entry = "def train_{0}(optimizer):\n" + "    once(optimizer)\n" * 499 + "\n\n"
    five = "".join(entry.format(at) for at in range(5))
    assert steps(five) == (5 * 499, ())
    assert steps(five + entry.format(5)) == (5 * 499, ("train_5: too much was read before it",))


def test_how_many_tests_are_read_both_ways() -> None:
    tests = "from somewhere import call\n\n\ndef train(optimizer, settings):\n{}    once(optimizer)\n\n\ncall(train)\n"

    def forking(times: int) -> str:
        return tests.format("".join(f"    if settings.t{at}:\n        x = {at}\n" for at in range(times)))

    assert steps(forking(4000)) == (1, ())
    assert steps(forking(4001)) == (0, ("once: too much was read before it",))


def test_how_many_tests_leave_the_rest_to_those_that_train() -> None:
    """What layers cost is not there for those that train: these are read all the same."""
    head = "def head(width):\n    return nn.Linear(width, 1)\n\n\n"
    layers = "def layers(settings):\n{}    return head(**settings)\n\n\nlayers(call())\nonce(optimizer)\n"

    def forking(times: int) -> str:
        tests = "".join(f"    if settings.t{at}:\n        x = {at}\n" for at in range(times))
        return f"from torch import nn\nfrom somewhere import call\n\n\n{head}{layers.format(tests)}"

    assert steps(forking(2000)) == (1, ())
    assert steps(forking(2001)) == (1, ("head: too much was read before it",))


MODES = """
class Model:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 4), nn.Dropout())
        self.optimizer = SGD(self.net.parameters())

    def eval(self):
        self.net.eval()

    def train(self):
        self.net.train()


def measure(model):
    model.eval()
    layers(call())
    print(model.net(torch.ones(1, 4)).item())
    {last}


model = Model()
model.train()
for x in call():
    model.optimizer.zero_grad()
    model.net(x).mean().backward()
    model.optimizer.step()
    measure(model)
"""


@pytest.mark.parametrize("tests", [1000, 2001, 4001])
@pytest.mark.parametrize("last", ["model.train()", "print()"])
def test_a_mode_is_put_back_however_much_was_read_before(tests: int, last: str) -> None:
    """What puts it back has a word of training; and beyond what is read of that, a mode is not known."""
    forks = "".join(f"    if settings.t{at}:\n        x = {at}\n" for at in range(tests))
    head = "import torch\nfrom torch import nn\nfrom somewhere import call\n\n\n"
    layers = f"def layers(settings):\n{forks}    return nn.Linear(2, 1)\n"
    text = f"{STEPS}{head}{layers}{MODES.format(last=last)}"
    rules = [rule for rule in packs.rules() if rule.code == "LC603"]
    assert bool(check_source(text.encode(), "train.py", rules).findings) is (last == "print()")


def test_what_was_not_read_is_told_with_some_names() -> None:
    many = "".join(f"def g{at}(optimizer):\n    optimizer.step()\n\n\n" for at in range(6))
    calls = "".join(f"g{at}(optimizer)\n" for at in range(6))
    assert steps(many + "once(optimizer)\n" * 2000 + calls)[1] == ("g0, g1, g2, g3 and 2 more: too much was read before it",)


@pytest.mark.parametrize(("objects", "times"), [(8, 8), (9, 1)])
def test_how_many_objects_are_worth_a_pass_each(objects: int, times: int) -> None:
    """Where they are too many, only the function itself is read, by itself."""
    assert steps(f"for each in ({'lambda: once(optimizer), ' * objects}):\n    each()\n")[0] == times


@pytest.mark.parametrize(("inner", "times"), [(1, 64), (3, 24), (8, 64)])
def test_how_many_passes_of_loops_inside_one_another_are_read(inner: int, times: int) -> None:
    """Of eight times eight each; a loop with which there would be more has one pass for all."""
    eight, some = ([chr(ord("a") + at) for at in range(many)] for many in (8, inner))
    loops = f"for a in {eight}:\n    for b in {some}:\n        for c in {eight}:\n            once(optimizer)\n"
    assert steps(loops)[0] == times


@pytest.mark.parametrize(("objects", "worth"), [(8, "[0, 2, 4, 6, 8, 10, 12, 14]"), (9, "Symbol(list)")])
def test_how_many_elements_a_comprehension_is_read_for(objects: int, worth: str) -> None:
    m, _ = read(f"doubled = [2 * each for each in {[*range(objects)]}]\n")
    assert value_of(m, "doubled").replace("doubled", "list") == worth


@pytest.mark.parametrize(("makers", "evidence"), [(16, "built"), (17, "named")])
def test_how_many_makers_of_a_table_are_asked(makers: int, evidence: str) -> None:
    classes = "".join(
        f"class N{at}(nn.Module):\n    def __init__(self):\n        self.body = nn.Linear(8, 8)\n\n\n" for at in range(makers)
    )
    table = ", ".join(f"'{at}': N{at}" for at in range(makers))
    _, program = read(f"import sys\nfrom torch import nn\n\n\n{classes}net = {{{table}}}[sys.argv[1]]()\nnet.eval()\n")
    assert {role.evidence for entry in program.entries for event in events(entry) for role in event.on} == {evidence}


@pytest.mark.parametrize(("clauses", "found"), [(8, "[0, 0]"), (9, "[0]")])
def test_how_many_clauses_of_a_comprehension_are_read(clauses: int, found: str) -> None:
    outer = " ".join(f"for a{at} in [1]" for at in range(clauses - 1))
    m, _ = read(f"found = [0 {outer} for last in [1, 2]]\n")
    assert value_of(m, "found") == found


def test_how_long_a_list_is_filled_in_sight() -> None:
    m, _ = read("found = []\n" + "found.append(0)\n" * 32)
    assert value_of(m, "found") == f"[{', '.join(['0'] * 32)}]"
    m, _ = read("found = []\n" + "found.append(0)\n" * 33)
    assert value_of(m, "found") == "Symbol(found)"


def test_for_how_many_shapes_a_function_is_summarised() -> None:
    code = "def helper(n):\n    call.train()\n    return n\n\n\n" + "".join(f"helper({at})\n" for at in range(20))
    m, _ = read(f"from somewhere import call\n\n\n{code}")
    assert len(m.modules.summaries[_function(m, "helper").code]) == 8 + 1


@pytest.mark.parametrize(("tests", "known"), [(1500, True), (1501, False)])
def test_how_many_tests_a_summary_is_made_of(tests: int, known: bool) -> None:
    body = "".join(f"    if n.t{at}:\n        x = {at}\n" for at in range(tests))
    m, _ = read(f"from somewhere import call, n\n\n\ndef helper(n):\n    call.train()\n{body}\n\nhelper(call())\n")
    assert any(m.modules.summaries[_function(m, "helper").code].values()) == known


def _function(m: Machine, name: str) -> Function:
    value = m.state.heap[(m.state.frame, name)]
    assert isinstance(value, Function)
    return value


# values


@pytest.mark.parametrize(
    ("op", "left", "right", "known"),
    [
        ("+", 10**12 - 1, 1, True),
        ("+", 10**12, 1, False),
        ("-", -(10**12), 1, False),
        ("**", 1.0, 64, True),
        ("**", 1.0, 65, False),
        ("+", "a" * 9_999, "a", True),
        ("+", "a" * 10_000, "a", False),
        ("*", "a", 10_000, True),
        ("*", "a", 10_001, False),
        ("*", 10_001, b"a", False),
        ("%", "%9d", 1, False),
    ],
)
def test_what_is_folded(op: str, left: object, right: object, known: bool) -> None:
    assert (folded(op, left, right) is not None) == known


def test_how_many_tests_a_value_depends_on() -> None:
    code = "".join(f"if settings.t{at}:\n    x = {at}\n" for at in range(6))
    head = "from somewhere import make\n\nsettings = make()\nx = None\n"
    m, _ = read(head + code.partition("if settings.t4")[0])
    assert value_of(m, "x").count(" if ") == 4
    m, _ = read(head + code.partition("if settings.t5")[0])
    assert value_of(m, "x") == "Symbol(x)"


@pytest.mark.parametrize(("doublings", "known"), [(9, True), (10, False)])
def test_how_many_values_one_value_holds(doublings: int, known: bool) -> None:
    m, _ = read("x = [1]\n" + "x = [x, x]\n" * doublings)
    assert value_of(m, "x").startswith("[") == known


@pytest.mark.parametrize(("length", "known"), [(1999, True), (2000, False)])
def test_how_long_a_list_is(length: int, known: bool) -> None:
    m, _ = read(f"x = [{'1, ' * length}]\n")
    assert value_of(m, "x").startswith("[") == known


@pytest.mark.parametrize("doubled", ["zip(x, x)", "partial(x, x)", "partial(f, a=x, b=x)", "(x, x).y", "dict(a=x, b=x)"])
def test_whatever_holds_values_holds_no_more(doubled: str) -> None:
    """Without a bound, so many doublings would make sixteen thousand values of one, and forty a million million."""
    m, _ = read("from functools import partial\nfrom somewhere import f\nx = f\n" + f"x = {doubled}\n" * 14)
    value = m.state.heap[(m.state.frame, "x")]
    assert 1 <= weight(value) <= 2000
    assert sum(1 for _ in parts_of(value)) <= 2000


def test_what_is_inside_of_too_heavy_a_value_is_not_known() -> None:
    light, heavy = Items((Items((Const(1),) * 998),) * 2), Items((Items((Const(1),) * 999),) * 2)
    assert (weight(light), weight(heavy)) == (1999, 3)
    assert isinstance(light.values[0], Items)
    assert isinstance(heavy.values[0], Symbol)
    assert heavy.values[0] != heavy.values[1], "nobody knows whether they are equal"


@pytest.mark.parametrize(("digits", "written"), [(72, True), (74, False), (5000, False)])
def test_how_long_a_number_is_written_out(digits: int, written: bool) -> None:
    """Python writes out none of thousands of digits."""
    number = 10 ** (digits - 1)
    term = Term("constant", constant(number))
    assert counts.number(term) == (number if written else None)
    assert term.text.startswith("…") != written
    assert constant(number) != constant(number + 1) != constant(-number)


@pytest.mark.parametrize(
    "doubled", ["x + x", "x * x", "f(x, x)", "x[x]", "[x, x]", "x.y(x)", "x if x else x.y", "{'a': x, 'b': x}"]
)
def test_doubling_takes_no_more_than_its_terms(doubled: str) -> None:
    m, _ = read("from somewhere import f, x\nx = f()\n" + f"x = {doubled}\n" * 60)
    assert len(value_of(m, "x")) < 100_000
    assert len(m.state.symbols) < 2_000


def test_how_many_operations_of_a_tensor_are_kept() -> None:
    tensor = Tensor(Term("new", "x", 0))
    for at in range(30):
        tensor = tensor.made("divided", Const(at))
    assert len(tensor.history) == 24
    other = Tensor(tensor.term).made("shared")
    assert len(tensor.merged(other).history) == 24


def test_how_long_a_term_is_written_out() -> None:
    one, term = Term("constant", constant(1)), Term("name", "module", "x")
    written = []
    for _ in range(40):
        term = Term("+", term, one)
        written.append((term.size, "…" not in term.text))
    assert max(size for size, whole in written if whole) <= 60 < min(size for size, whole in written if not whole)


# texts


def test_how_many_words_are_analysed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not exceeds("x = 1\n" * 100_000, 300_000)
    assert exceeds("x = 1\n" * 100_000 + "x", 300_000)
    assert (text.MOST_WORDS, concrete.MOST_WORDS) == (300_000, 100_000)
    monkeypatch.setattr(text, "MOST_WORDS", 6)
    assert parse("x = 1\nx = 2\n")
    with pytest.raises(SourceError, match="more than 6 words and signs"):
        parse("x = 1\nx = 2\nx\n")


def test_how_many_words_are_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concrete, "MOST_WORDS", 3)
    assert source.Source.parse("a.py", b"x = 1\n").module
    with pytest.raises(SourceError, match="too large to be mended"):
        _ = source.Source.parse("a.py", b"x = 1, 2\n").module


@pytest.mark.parametrize(("brackets", "mended"), [(6, True), (7, False)])
@pytest.mark.parametrize("bracket", ["[]", "{}", "()"])
def test_how_deep_a_pattern_is_mended(bracket: str, brackets: int, mended: bool) -> None:
    """libcst takes twice as long, or five times, for each more."""
    first, last = bracket[0], bracket[1]
    key = "0: " if first == "{" else ""
    pattern = f"{first}{key}" * brackets + "a" + last * brackets
    assert entangled(f"cases = {pattern}\ncase 1:\n    f({pattern})", 6) is None
    assert (entangled(f"match b:\n    case {pattern}:\n        pass\n", 6) is None) == mended
    assert (entangled(f"match b:\n    case (\n{pattern[1:-1]}):\n        pass\n", 6) is None) == mended


# files

TRAINS = "def train(optimizer):\n    optimizer.step()\n"
CALLS = "from {0} import {1}\n\n\ndef {2}(optimizer):\n    {1}(optimizer)\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository, and where the process is."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def program_of(path: str, library: Library | None = None) -> Program:
    library = library or Library()
    return library.program(library.source(path, Path(path).read_bytes()))


def test_how_many_callers_are_read(project: Path) -> None:
    Path("engine.py").write_text(TRAINS)
    for at in range(3):
        Path(f"main_{at}.py").write_text(CALLS.format("engine", "train", "main"))
        assert len(program_of("engine.py").callers) == at + 1
    Path("main_3.py").write_text(CALLS.format("engine", "train", "main"))
    Path("main_4.py").write_text(CALLS.format("engine", "train", "main"))
    assert [each.source.path for each in program_of("engine.py").callers] == ["main_0.py", "main_1.py", "main_2.py"]


def test_how_far_up_callers_are_read(project: Path) -> None:
    Path("m0.py").write_text(TRAINS.replace("train", "f0"))
    for at in range(1, 6):
        Path(f"m{at}.py").write_text(CALLS.format(f"m{at - 1}", f"f{at - 1}", f"f{at}"))
    assert [each.source.path for each in program_of("m0.py").callers] == ["m2.py"]


@pytest.mark.parametrize(("most", "read"), [(3, [0, 1, 2]), (5, [0, 1, 1, 2, 2, 2, 3, 3, 4])])
def test_what_was_read_too_far_up_is_read_again_where_it_lacked_callers(
    project: Path, monkeypatch: pytest.MonkeyPatch, most: int, read: list[int]
) -> None:
    seen: list[str] = []
    whole = Reader.program

    def noted(reader: Reader) -> Program:
        seen.append(reader.source.path)
        return whole(reader)

    monkeypatch.setattr(Reader, "program", noted)
    Path("m0.py").write_text(TRAINS.replace("train", "f0"))
    for at in range(1, most):
        Path(f"m{at}.py").write_text(CALLS.format(f"m{at - 1}", f"f{at - 1}", f"f{at}"))
    library = Library()
    found = [[each.source.path for each in program_of(f"m{at}.py", library).callers] for at in range(most)]
    assert sorted(seen) == [f"m{at}.py" for at in read]
    assert found == [[each.source.path for each in program_of(f"m{at}.py").callers] for at in range(most)]


@pytest.mark.parametrize(("size", "followed"), [(300_000, True), (300_001, False)])
def test_how_large_a_file_is_followed(project: Path, size: int, followed: bool) -> None:
    Path("engine.py").write_text(TRAINS.ljust(size - 1, "#") + "\n")
    Path("main.py").write_text("from engine import train\n\n\ndef main(optimizer):\n    train(optimizer)\n")
    assert Path("engine.py").stat().st_size == size
    assert count(program_of("main.py")) == followed
    Path("engine.py").write_text(TRAINS)
    main = "from engine import train\nimport torch.optim\n\ntrain(torch.optim.SGD([]))\n"
    Path("main.py").write_text(main.ljust(size - 1, "#") + "\n")
    assert bool(program_of("engine.py").callers) == followed


def test_how_many_programs_are_kept(project: Path) -> None:
    library = Library()
    for at in range(301):
        Path(f"m{at}.py").write_text(f"x = {at}\n")
        program_of(f"m{at}.py", library)
        assert len(library._programs) == min(at + 1, 300)


@pytest.mark.parametrize(("files", "searched"), [(5000, 5000), (5001, 0)])
def test_in_how_many_files_callers_are_searched(
    project: Path, monkeypatch: pytest.MonkeyPatch, files: int, searched: int
) -> None:
    def walk(top: Path) -> Iterator[tuple[str, list[str], list[str]]]:
        yield str(top), [], [f"m{at}.py" for at in range(files)]

    monkeypatch.setattr(os, "walk", walk)
    library = Library()
    assert len(library._project(project / "main.py").files) == searched

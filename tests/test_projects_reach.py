"""Programs of several files as a person meets them: what is told where, what is mended, and projects that are hard to read."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from samples import CLIP, RULES

from loopcheck import clip, packs, remove
from loopcheck.bug import Chain
from loopcheck.check import check_file, check_source
from loopcheck.cli import program
from loopcheck.judge import over_loop
from loopcheck.loop import events
from loopcheck.loop import tests as conditions
from loopcheck.read.front.source import Site, Source
from loopcheck.read.library import LARGEST, Library
from loopcheck.read.program import Program, Reader
from loopcheck.survey import Survey

Run = Callable[..., Result]
CATALOGUE = packs.rules()

ENGINE = """\
from torch import nn


def limit(model):
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
"""
CLIP_ROW = 5
MAIN = """\
import torch
from torch import nn

from engine import limit

model = nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in torch.utils.data.DataLoader(range(8), shuffle=True):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    limit(model)
"""
STEP_ROW, CALL_ROW = 12, 13
HERE = [("engine.py", CLIP_ROW)]
AT_CALL = [("main.py", CALL_ROW)]

TRAINS = """\
from torch import nn


def train(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
"""
MENDED = "\n".join([*TRAINS.splitlines()[:7], TRAINS.splitlines()[8], TRAINS.splitlines()[7], ""])
CALLS = """\
import torch

from engine import train

model = torch.nn.Linear(2, 2)
for epoch in range(3):
    train(model, torch.utils.data.DataLoader(range(8)), torch.optim.SGD(model.parameters(), lr=0.1))
"""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Call the command line in an empty repository, with the tests' catalogue."""
    monkeypatch.setattr(packs, "rules", lambda: RULES)
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()

    def call(*arguments: str) -> Result:
        return CliRunner().invoke(program, arguments, prog_name="loopcheck", catch_exceptions=False)

    return call


def write(engine: str = ENGINE, main: str = MAIN, **others: str) -> None:
    for name, text in {"engine": engine, "main": main, **others}.items():
        Path(f"{name}.py").write_text(text)


def found(result: Result) -> list[tuple[str, int]]:
    assert result.exit_code in (0, 1), result.output
    return [(os.path.relpath(entry["filename"]), entry["location"]["row"]) for entry in json.loads(result.stdout)]


def judged(run: Run, *arguments: str) -> list[tuple[str, int]]:
    return found(run("--output-format", "json", *arguments))


# --- told once, where it is


@pytest.mark.parametrize(
    ("asked", "places"),
    [
        (["main.py"], AT_CALL),
        (["engine.py"], HERE),
        (["main.py", "engine.py"], HERE),
        (["."], HERE),
        (["main.py", "another.py"], [("another.py", CALL_ROW)]),
    ],
)
def test_a_defect_is_told_once(run: Run, asked: list[str], places: list[tuple[str, int]]) -> None:
    write(another=MAIN)
    assert judged(run, *asked) == places
    assert judged(run, *map(os.path.abspath, asked)) == places


UPDATES = """\
from torch import nn


def update(model, optimizer, x, y):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
"""
STORY = """\
from limits import limit
from updates import update


def train(model, loader, optimizer):
    for x, y in loader:
        update(model, optimizer, x, y)
        limit(model)
"""


@pytest.mark.parametrize(
    ("asked", "places"),
    [
        ("engine.py", [("engine.py", 8)]),
        ("limits.py", [("limits.py", CLIP_ROW)]),
        ("updates.py", []),
        (".", [("limits.py", CLIP_ROW)]),
    ],
)
def test_a_story_is_told_where_it_comes_together(run: Run, asked: str, places: list[tuple[str, int]]) -> None:
    write(STORY, CALLS, limits=ENGINE, updates=UPDATES)
    assert judged(run, asked) == places


def test_who_made_the_object_is_told_of_it(run: Run) -> None:
    handed_on = "from engine import train\n\n\ndef run(model, loader, optimizer):\n    train(model, loader, optimizer)\n"
    write(TRAINS, CALLS.replace("from engine import train", "from between import run as train"), between=handed_on)
    assert judged(run, "main.py") == [("main.py", 7)]
    assert judged(run, "between.py") == []
    assert judged(run, ".") == [("engine.py", 9)]


def test_every_format_says_where_it_is(run: Run) -> None:
    write()
    away = f"the defect is in engine.py:{CLIP_ROW}, reached from here"
    assert f"= place: {away}" in run("main.py").stdout
    assert f"::: engine.py:{CLIP_ROW}:5\n" in run("main.py").stdout
    assert run("main.py", "--output-format", "github").stdout.count(f"%0Aplace: {away}%0A") == 1
    (entry,) = json.loads(run("main.py", "--output-format", "json").stdout)
    assert [(each["filename"], each["location"]["row"], each["message"]) for each in entry["related"]] == [
        ("engine.py", CLIP_ROW, "clip"),
        ("main.py", STEP_ROW, "step"),
    ]
    assert "reached from here" not in run(".").stdout


NETWORK = """\
from torch import nn


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.chances = nn.Linear(2, 2), nn.Softmax(dim=1)

    def forward(self, x):
        return self.chances(self.body(x))
"""
OF_NETWORK = MAIN.replace("model = nn.Linear(2, 2)", "model = Network()").replace(
    "from engine import limit", "from network import Network"
)


@pytest.fixture
def run_softmax(monkeypatch: pytest.MonkeyPatch, run: Run) -> Run:
    monkeypatch.setattr(packs, "rules", lambda: tuple(rule for rule in CATALOGUE if rule.code == "LC801"))
    return run


def test_where_a_network_puts_its_output_through_a_softmax_is_shown(run_softmax: Run) -> None:
    write(main=OF_NETWORK.replace("    limit(model)\n", ""), network=NETWORK)
    (entry,) = json.loads(run_softmax("main.py", "--output-format", "json").stdout)
    assert [(each["filename"], each["location"]["row"], each["message"]) for each in entry["related"]] == [
        ("network.py", 10, "softmax")
    ]
    assert "fix: by hand, for the activation stands in network.py" in run_softmax("main.py").stdout


def test_the_softmax_of_a_network_in_the_same_file_is_taken_away(run_softmax: Run) -> None:
    write(main=NETWORK + OF_NETWORK.replace("    limit(model)\n", "").replace("from network import Network\n", ""))
    run_softmax("main.py", "--fix", "--unsafe-fixes")
    assert "        return self.body(x)\n" in Path("main.py").read_text(encoding="utf-8")


def test_a_network_that_has_a_softmax_on_each_of_two_ways_is_mended_on_neither(run_softmax: Run) -> None:
    """To take one away would hide the other."""
    once = "        return self.chances(self.body(x))\n"
    twice = "        if len(x) > 1:\n            return self.chances(self.body(x))\n" + once
    main = OF_NETWORK.replace("    limit(model)\n", "").replace("from network import Network\n", "")
    write(main=NETWORK.replace(once, twice) + main)
    before = Path("main.py").read_text(encoding="utf-8")
    (entry,) = json.loads(run_softmax("main.py", "--fix", "--unsafe-fixes", "--output-format", "json").stdout)
    assert (entry["code"], entry["related"]) == ("LC801", [])
    assert Path("main.py").read_text(encoding="utf-8") == before


def test_show_draws_a_function_as_it_is_called(run: Run) -> None:
    write(TRAINS, CALLS)
    drawn = [run("show", asked).stdout for asked in ("main.py", "engine.py", ".")]
    assert [text.count("SGD of model") for text in drawn] == [1, 1, 2]
    assert "engine.py:6 " in drawn[0]


@pytest.mark.parametrize(("file", "row"), [("engine.py", CLIP_ROW), ("main.py", STEP_ROW)])
def test_a_comment_in_either_file_silences_it_everywhere(run: Run, file: str, row: int) -> None:
    write()
    lines = Path(file).read_text().splitlines()
    lines[row - 1] += "  # loopcheck: ignore[clip-after-step] -- the norm is only logged"
    Path(file).write_text("\n".join(lines) + "\n")
    assert [judged(run, asked) for asked in ("main.py", "engine.py", ".")] == [[], [], []]


def test_a_comment_at_one_call_silences_that_call(run: Run) -> None:
    write(main=MAIN.rstrip("\n") + "  # loopcheck: ignore[clip-after-step] -- as in the paper\n", another=MAIN)
    assert judged(run, "main.py") == []
    assert judged(run, "main.py", "another.py") == [("another.py", CALL_ROW)]


def test_bytes_of_no_file_are_read_alone(run: Run) -> None:
    write()
    assert check_source(MAIN.encode(), "main.py", [CLIP]).findings
    assert not check_source(MAIN.encode(), "nowhere.py", [CLIP]).findings


def test_other_bytes_of_a_file_take_its_place(run: Run) -> None:
    write(TRAINS, CALLS)
    assert check_source(TRAINS.encode(), "engine.py", [CLIP]).findings
    assert not check_source(MENDED.encode(), "engine.py", [CLIP]).findings


# --- every file is read once


def test_every_program_is_read_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    whole = Reader.program

    def counted(self: Reader) -> Program:
        read.append(self.source.path)
        return whole(self)

    monkeypatch.setattr(Reader, "program", counted)
    write(another=MAIN)
    assert judged(run, ".") == HERE
    assert sorted(read) == ["another.py", "engine.py", "main.py"]


def test_a_program_that_is_not_kept_is_read_again(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loopcheck.read.library.MOST_KEPT", 0)
    write(another=MAIN)
    assert judged(run, ".") == HERE


# --- mending


@pytest.mark.parametrize("asked", [["."], ["engine.py"], ["main.py", "engine.py"], ["another.py", "engine.py"]])
def test_a_fix_is_made_where_the_defect_is(run: Run, asked: list[str]) -> None:
    write(TRAINS, CALLS, another=CALLS)
    result = run("--fix", *asked)
    assert (result.exit_code, result.stderr.count("mended")) == (0, 1), result.output
    assert Path("engine.py").read_text() == MENDED
    assert Path("main.py").read_text() == Path("another.py").read_text() == CALLS
    assert judged(run, ".") == []


def test_a_patch_of_a_project(run: Run) -> None:
    write(TRAINS, CALLS)
    result = run("--diff", ".")
    assert (result.exit_code, result.stdout.count("+++ engine.py"), "not mended" in result.stderr) == (1, 1, False)
    assert Path("engine.py").read_text() == TRAINS


def test_what_is_elsewhere_is_not_mended_at_the_call(run: Run) -> None:
    write()
    result = run("--fix", "main.py")
    assert (result.exit_code, result.stderr) == (1, "main.py: not mended: clip-after-step: it is in engine.py; mend that file\n")


def test_a_fix_over_two_files_is_withheld(run: Run) -> None:
    """The clip would have to leave its function for another file."""
    write()
    (finding,) = check_file(Path("engine.py"), [CLIP]).findings
    assert finding.repair is None
    assert judged(run, "--fix", ".") == HERE
    assert (Path("engine.py").read_text(), Path("main.py").read_text()) == (ENGINE, MAIN)


@pytest.mark.parametrize("option", ["--fix", "--diff"])
def test_what_was_told_at_a_call_goes_when_the_other_file_is_mended(
    run: Run, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    """`a_main.py` is judged before `engine.py` is mended, and the report is of what there is in the end."""
    monkeypatch.setattr(packs, "rules", lambda: (replace(CLIP, fix=remove(clip)),))
    write(f"{ENGINE}    print('limited')\n", main="", a_main=MAIN)
    assert judged(run, "a_main.py") == [("a_main.py", CALL_ROW)]
    result = run(option, ".")
    assert result.stderr.startswith("engine.py: ")
    assert result.stderr.count("\n") == 1
    assert (option == "--diff") or result.stdout == "Found nothing in 3 files (1 checked, 2 without training code).\n"


# --- projects that are hard to read


def test_imports_in_a_circle(run: Run) -> None:
    write("import main\n" + ENGINE)
    assert judged(run, ".") == [("engine.py", CLIP_ROW + 1)]
    assert judged(run, "main.py") == AT_CALL


LENDS = "import {0}\n\n\ndef limit(model):\n    print('limit')\n    {0}.limit(model)\n\n\ndef idle():\n    pass\n"
CIRCLE = "import helper\nfrom engine import limit as clip\n\n\ndef limit(model):\n    print(helper)\n    clip(model)\n"
INNER = "from engine import limit as clip\n\n\ndef inner(model):\n    clip(model)\n\n\ndef limit(model):\n    inner(model)\n"


@pytest.mark.parametrize(
    "helpers",
    [
        {"helper": LENDS.format("engine")},
        {"helper": LENDS.format("other"), "other": "from engine import limit\n"},
        {"helper": LENDS.format("other"), "other": CIRCLE},
        {"helper": INNER},
    ],
    ids=["at once", "through another", "in a circle", "through another of its functions"],
)
def test_a_file_that_only_leads_on_is_followed(run: Run, helpers: dict[str, str]) -> None:
    write(main=MAIN.replace("from engine", "from helper"), **helpers)
    assert judged(run, "main.py") == AT_CALL


def test_a_function_beside_one_that_leads_on_is_not(run: Run) -> None:
    write(main=f"from helper import idle\n{MAIN}idle()\n", helper=LENDS.format("engine"))
    assert judged(run, "main.py") == [("main.py", CALL_ROW + 1)]
    library = Library()
    helper = Path("helper.py").resolve()
    assert library.harmless(helper, "idle")
    assert not library.harmless(helper, "limit")
    assert not library.harmless(helper)
    assert library.follow(helper, "idle") is None


@pytest.mark.parametrize("call", ["limit(model)\ncheck(3)", "limit(model)"], ids=["where it is used", "where it might be"])
def test_modules_that_have_a_name_from_each_other(run: Run, call: str) -> None:
    head = "import torch.optim\nfrom {} import check\n"
    idle = "def idle(n):\n" + 9 * "    n = n + 1\n" + "    check(n)\n"
    engine = ENGINE.replace("import nn\n", "import nn\n\nfrom first import check\n") + f"    idle(3)\n\n\n{idle}"
    main = MAIN.replace("import torch\n", "import torch\nfrom first import check\n").replace("limit(model)", call)
    write(engine, main, first=head.format("second"), second=head.format("first"))
    result = run("main.py", "--verbose", "--output-format", "json")
    assert found(result) == [("main.py", CALL_ROW + 1)]
    assert "too deeply" not in result.stderr


@pytest.mark.parametrize("other", ["def broken(:\n    optimizer.step()\n", "\0", "optim = " + "(" * 3000])
def test_an_imported_file_that_is_no_python(run: Run, other: str) -> None:
    write(main="from helpers import log\n" + MAIN, helpers=other)
    assert judged(run, "main.py") == [("main.py", CALL_ROW + 1)]
    assert judged(run, "engine.py") == HERE


def test_an_imported_file_that_cannot_be_read(run: Run) -> None:
    write(main="from helpers import log\nfrom loop import log\n" + MAIN)
    Path("helpers.py").symlink_to("gone.py")
    Path("loop.py").symlink_to("loop.py")
    assert judged(run, "main.py") == [("main.py", CALL_ROW + 2)]
    assert judged(run, "engine.py") == HERE


def test_folders_in_a_circle(run: Run) -> None:
    write()
    Path("again").symlink_to(".")
    assert judged(run, ".") == judged(run, "engine.py") == HERE


def test_one_file_under_two_names(run: Run) -> None:
    write()
    Path("alias.py").symlink_to("engine.py")
    assert judged(run, ".") == [("alias.py", CLIP_ROW)]


def test_a_huge_file_is_not_followed(run: Run) -> None:
    table = "\n".join(f"optimizer_{number} = {number}" for number in range(LARGEST // 20))
    write(main="from table import optimizer_1\n" + MAIN, table=table)
    assert Path("table.py").stat().st_size > LARGEST
    assert judged(run, "main.py") == [("main.py", CALL_ROW + 1)]
    write(TRAINS, f"{CALLS}\n{table}\n")
    assert judged(run, "engine.py") == [("engine.py", 9)]


def test_a_folder_named_torch(run: Run) -> None:
    write()
    Path("torch").mkdir()
    Path("torch/__init__.py").write_text("from torch import nn, optim\n")
    Path("torch/nn.py").write_text("class Linear:\n    pass\n")
    assert judged(run, "main.py") == AT_CALL
    assert judged(run, "engine.py") == HERE


@pytest.mark.parametrize("imported", ["from engine import *", "from engine import limit as limit"])
def test_spellings_of_an_import(run: Run, imported: str) -> None:
    write(main=MAIN.replace("from engine import limit", imported))
    assert judged(run, "main.py") == AT_CALL


@pytest.mark.parametrize(
    ("folder", "imported"),
    [
        ("training", "from training.engine import limit"),
        ("src", "from engine import limit"),
        ("src/package", "from package.engine import limit"),
        ("src/package", "from package import engine\nlimit = engine.limit"),
    ],
)
def test_layouts(run: Run, folder: str, imported: str) -> None:
    """A folder without `__init__.py` is a package, and `src` is on the path."""
    main = MAIN.replace("from engine import limit", imported)
    write(main=main)
    Path(folder).mkdir(parents=True)
    Path("engine.py").rename(Path(folder, "engine.py"))
    assert judged(run, "main.py") == [("main.py", len(main.splitlines()))]
    assert judged(run, ".") == [(f"{folder}/engine.py", CLIP_ROW)]


def test_a_match_statement_around_the_call(run: Run) -> None:
    matched = "    match len(x):\n        case 0:\n            continue\n        case _:\n            limit"
    write(main=MAIN.replace("    limit", matched))
    assert judged(run, "main.py") == [("main.py", CALL_ROW + 4)]


def test_an_imported_file_in_another_encoding(run: Run) -> None:
    write("", "from helpers import log\n" + MAIN)
    Path("engine.py").write_bytes(f"# -*- coding: latin-1 -*-\nNAME = 'größer'\n{ENGINE}".encode("latin-1"))
    Path("helpers.py").write_bytes("# größer\nimport torch.optim\n\ndef log(): pass\n".encode("latin-1"))
    assert judged(run, "main.py") == [("main.py", CALL_ROW + 1)]
    assert judged(run, "engine.py") == [("engine.py", CLIP_ROW + 2)]


# --- what was not read


def test_what_is_nested_too_deeply_is_read_alone(run: Run) -> None:
    """The file's own verdict stays."""
    chain = {f"m{number}": f"from m{number + 1} import *\n{ENGINE}" for number in range(1200)}
    clips = "    nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n    limit(model)\n"
    write(main=MAIN.replace("from engine", "from m0").replace("    limit(model)\n", clips), **chain)
    assert judged(run, "main.py") == AT_CALL
    told = "main.py: not read: what it imports and who calls it: the code is nested too deeply\n"
    assert run("-v", "main.py").stderr == told
    assert run("main.py").stderr == ""


def test_what_is_nested_too_deeply_to_be_judged_is_judged_alone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(chain: Chain, per: str, program: Survey) -> object:
        if any(isinstance(event.at, Site) and event.at.source.path == "main.py" for event in program.history.events):
            raise RecursionError
        return over_loop(chain, per, program)

    monkeypatch.setattr("loopcheck.check.over_loop", too_deep)
    write(TRAINS, CALLS)
    assert judged(run, "engine.py") == [("engine.py", 9)]
    assert "nested too deeply" in run("-v", "engine.py").stderr


def test_what_lies_too_deep_is_told_once_for_each_cause(run: Run) -> None:
    depth = 60
    steps = "".join(
        f"def f{n}(model, optimizer):\n    optimizer.step()\n    f{n + 1}(model, optimizer)\n\n" for n in range(depth)
    )
    last = f"def f{depth}(model, optimizer):\n    optimizer.step()\n"
    write(steps + last, MAIN.replace("limit(model, loader, optimizer)", "f0(model, optimizer)").replace("limit", "f0"))
    told = [line for line in run("-v", "main.py").stderr.splitlines() if "not read" in line]
    assert len(told) == 1
    assert told[0].startswith("main.py: not read: f")
    assert told[0].endswith("calls lie too deep")


def test_a_script_that_calls_its_own_functions_searches_no_project(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loopcheck.read.project.Project.importers", lambda *_: pytest.fail("the project was searched"))
    write()
    assert judged(run, "main.py") == AT_CALL


@pytest.mark.skipif(sys.platform == "win32", reason="permissions")
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read(run: Run) -> None:
    write(main="import closed\n" + MAIN)
    Path("closed").mkdir(mode=0)
    assert judged(run, "main.py") == [("main.py", CALL_ROW + 1)]


def test_one_method_of_two_objects_is_two_tests() -> None:
    waits = "".join(f"        self.waited += {second}\n" for second in range(8))
    code = (
        f"class Gate:\n    def is_open(self):\n{waits}        return self.waited\n\n"
        "first, second = Gate(), Gate()\nmodel = make_model()\n"
        "if first.is_open():\n    model.eval()\nif second.is_open():\n    model.train()\n"
    )
    (entry, *_) = Reader(Source.parse("gates.py", code.encode())).read()
    assert len({test.key for test in conditions(entry)}) == 2


VOLATILE = """\
from torch.autograd import Variable


def get_batch(source, i, evaluation=False):
    return Variable(source[i : i + 4], volatile=evaluation), Variable(source[i + 1 : i + 5])
"""
EVALUATES = """\
import torch
from torch import nn

from batches import get_batch

model = nn.Linear(8, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def evaluate(source):
    model.eval()
    total = 0.0
    for i in range(0, 28, 4):
        data, target = get_batch(source, i, evaluation={evaluation})
        total += nn.functional.mse_loss(model(data), target).data
    return total


print(evaluate(torch.randn(33, 8)))
"""


@pytest.mark.parametrize(("evaluation", "rules"), [("True", []), ("False", ["missing-no-grad"])])
def test_data_was_volatile_before_there_was_no_grad(tmp_path: Path, evaluation: str, rules: list[str]) -> None:
    (tmp_path / "batches.py").write_text(VOLATILE)
    (tmp_path / "test.py").write_text(EVALUATES.format(evaluation=evaluation))
    assert [each.rule.name for each in check_file(tmp_path / "test.py", packs.rules()).findings] == rules


OLDER = """\
import torch
from torch import nn
from torch.autograd import Variable

import drawing

net = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2))
net.load_state_dict(torch.load("net.pt"))
net.eval()
for rows in torch.load("rows.pt"):
    drawing.draw(net(Variable(rows, volatile=True)).data)
"""


@pytest.mark.parametrize(
    ("drawn", "rules"),
    [
        ("print(rows)", []),
        ("print(rows.item())", []),
        ("rows.to(torch.device('cpu'))", ["missing-no-grad"]),
        ("loss = rows.sum(); print(loss.item())", ["missing-no-grad"]),
    ],
)
def test_nobody_hears_that_data_is_volatile_where_torch_is_newer(tmp_path: Path, drawn: str, rules: list[str]) -> None:
    (tmp_path / "drawing.py").write_text(f"import torch\n\n\ndef draw(rows):\n    {drawn}\n")
    (tmp_path / "test.py").write_text(OLDER)
    assert [each.rule.name for each in check_file(tmp_path / "test.py", packs.rules()).findings] == rules


BOXES = """\
import numpy


class BoxTransformer(object):
    def __init__(self, size):
        self.size = size

    def __call__(self, frame, boxes):
        return numpy.resize(frame, self.size), boxes
"""
DETECTS = """\
import torch
from torch import nn

from {module} import BoxTransformer

net = nn.Sequential(nn.Linear(3, 3), nn.Dropout())
net.load_state_dict(torch.load("net.pt"))
net.eval()
transformer = BoxTransformer(300)
for frame in torch.load("frames.pt"):
    found = transformer(frame, torch.zeros(1, 4))
    with torch.no_grad():
        print(net(found).argmax(1))
    print(found.detach().numpy())
"""


@pytest.mark.parametrize(("module", "forwards"), [("boxes", 1), ("library", 2)])
def test_what_a_file_without_networks_has_is_none(tmp_path: Path, module: str, forwards: int) -> None:
    """Whatever it is called."""
    (tmp_path / "boxes.py").write_text(BOXES)
    (tmp_path / "test.py").write_text(DETECTS.format(module=module))
    library = Library([tmp_path / "test.py"])
    entries = library.program(library.source(str(tmp_path / "test.py"), (tmp_path / "test.py").read_bytes())).entries
    assert sum(event.verb == "forward" for entry in entries for event in events(entry)) == forwards


PACKER = """\
import functools

import torch
from torch.autograd import Variable


class Packer:
    def __init__(self, cuda):
        self.cuda = cuda

    def pack(self, batch):
        packed = [Variable(each, {flag}) for each in batch]
        return functools.reduce(torch.add, packed)
"""
PACKS = """\
import torch
from torch import nn

from packing import Packer

model = nn.Linear(8, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def evaluate(batches, packer):
    model.eval()
    return sum(nn.functional.mse_loss(model(packer.pack(each)), each).data for each in batches)


print(evaluate(torch.randn(4, 8, 8), Packer(cuda=False)))
"""


@pytest.mark.parametrize(("flag", "rules"), [("volatile=True", []), ("requires_grad=False", ["missing-no-grad"])])
def test_what_was_volatile_may_come_from_anywhere_in_a_program(tmp_path: Path, flag: str, rules: list[str]) -> None:
    (tmp_path / "packing.py").write_text(PACKER.format(flag=flag))
    (tmp_path / "test.py").write_text(PACKS)
    assert [each.rule.name for each in check_file(tmp_path / "test.py", packs.rules()).findings] == rules
    (tmp_path / "other.py").write_text("import packing\n\nwith torch.no_grad():\n    print(packing)\n")
    (tmp_path / "test.py").write_text(PACKS.replace("import torch\n", "import other\nimport torch\n", 1))
    assert [each.rule.name for each in check_file(tmp_path / "test.py", packs.rules()).findings] == ["missing-no-grad"]


# --- what is wired up in a function that nobody in sight calls

NETWORKS = """\
from transformers import AutoModelForSequenceClassification


def load(disk, name):
    if disk:
        network = AutoModelForSequenceClassification.from_pretrained("bert-large-uncased")
    else:
        network = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased")
    print(name)
    network.to("cuda")
    network.config.problem_type = "single_label_classification"
    network.config.pad_token_id = 0
    network.config.name = name
    return network
"""
PASSES = """\
import torch


def fit(model, loader, held_out):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for epoch in range(3):
        for batch in loader:
            optimizer.zero_grad()
            model(**batch).loss.backward()
            optimizer.step()
        print(score(model, held_out))


def score(model, held_out):
    with torch.no_grad():
        return sum(model(**batch).loss.item() for batch in held_out)
"""
COMMAND = """\
from torch.utils.data import DataLoader

from networks import load
from passes import fit


def command(disk=False):
    fit(load(disk, "first"), DataLoader(range(8), shuffle=True), DataLoader(range(8)))
"""


def test_a_function_that_makes_what_other_files_train_is_read_though_nobody_calls_it(
    monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    """What a library's network holds is known from a file that has no other word of training."""
    monkeypatch.setattr(packs, "rules", lambda: tuple(rule for rule in CATALOGUE if rule.code == "LC601"))
    write(main=COMMAND, networks=NETWORKS, passes=PASSES)
    assert judged(run, ".") == [("passes.py", 17)]
    Path("networks.py").write_text(NETWORKS.replace("bert", "clip"), encoding="utf-8")
    assert judged(run, ".") == []


CHOSEN = """\
import torch
from torch import nn


class Base(nn.Module):
    def train_step(self, loss, optimizer):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    def train_nothing(self, loss, optimizer):
        print(loss, optimizer)


class Small(Base):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 1)

    def forward(self, x):
        return self.body(x)


class Large(Small):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
"""
ACTS = """\
import nets
import torch


class Agent:
    def __init__(self, spec):
        kind = getattr(nets, spec["type"])
        self.actor, self.critic = kind(), kind()
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters())
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters())

    def policy_loss(self, x):
        return (self.actor(x) - self.critic(x)).mean()

    def train(self, memory):
        for _ in range(8):
            x, y = memory.sample()
            self.critic.train()
            loss = (self.critic(x) - y).square().mean()
            self.critic.train_step(loss, self.critic_optimizer)
            self.critic.eval()
            policy_loss = self.policy_loss(x)
            self.actor.{called}(policy_loss, self.actor_optimizer)
            loss = loss + policy_loss
            print(loss.item())
"""


@pytest.mark.parametrize(("called", "rules"), [("train_step", []), ("train_nothing", ["missing-no-grad"])])
def test_whichever_network_it_is_may_go_back_through_what_its_method_is_given(
    tmp_path: Path, called: str, rules: list[str]
) -> None:
    (tmp_path / "nets.py").write_text(CHOSEN)
    (tmp_path / "train.py").write_text(ACTS.format(called=called))
    assert [each.rule.name for each in check_file(tmp_path / "train.py", packs.rules()).findings] == rules

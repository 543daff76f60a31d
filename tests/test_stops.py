"""What ends a run before it comes to a finding, so that this is told to those alone who ask for what is not sure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loopcheck import packs
from loopcheck.check import check_file
from loopcheck.finding import Finding
from loopcheck.read.mentions import MOST_BYTES
from loopcheck.read.stops.ending import MOST_MODULES
from loopcheck.rule import Confidence

PASS = """
import torch
from torch import nn
{imports}

net = nn.Sequential(nn.Linear(3, 3), nn.Dropout())
net.load_state_dict(torch.load("net.pt"))
net.eval()

def test(loader):
    right = 0
    {before}
    for x, y in loader:
        right += (net(x).argmax(1) == y).sum().item()
    {after}
    print(right)

{script}
test(torch.utils.data.DataLoader(torch.load("held_out.pt")))
"""
HELPERS = """
def load(path, size, *, seed):
    return path

class Reader:
    def __init__(self, path):
        self.path = path
"""


def told(folder: Path, files: dict[str, str], script: str = "test.py", name: str = "missing-no-grad") -> Finding:
    """The finding of the script, for which a rule is named: one pass without `no_grad`."""
    (folder / ".git").mkdir()
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (found,) = [each for each in check_file(folder / script, packs.rules()).findings if each.rule.name == name]
    return found


def written(imports: str = "", before: str = "", after: str = "", script: str = "") -> str:
    return PASS.format(imports=imports, before=before, after=after, script=script)


PARSER = """
parser = argparse.ArgumentParser()
parser.add_argument("--path", "--best-path")
parser.add_argument_group("more").add_argument("--seed")
"""
ENDS = {
    "a name that nothing binds": (written(before="print(total)"), "`total`, which test.py:12 asks for, is bound nowhere"),
    "a name that another module binds": (
        written("from helpers import load", "print(Reader)"),
        "`Reader`, which test.py:12 asks for, is bound nowhere",
    ),
    "a module that a package lacks": (
        written("from tools.read import load"),
        "`tools.read`, which test.py:4 imports, is not in the project",
    ),
    "a name that a module lacks": (written("from helpers import save"), "`save`, which test.py:4 imports, is not in `helpers`"),
    "a module of other capitals": (
        written("from Helpers import load"),
        "`Helpers`, which test.py:4 imports, is not in the project",
    ),
    "one lacking further on": (written("import broken"), "`save`, which broken.py:1 imports, is not in `helpers`"),
    "too many arguments": (
        written("from helpers import load", "load('a', 2, 3, seed=1)"),
        "`load` is given 3 arguments and takes 2, in test.py:12",
    ),
    "too few": (
        written("from helpers import load", "load('a', seed=1)"),
        "`load` is not given `size`, which it needs, in test.py:12",
    ),
    "one lacking by its name": (
        written("from helpers import *", "load('a', 2)"),
        "`load` is not given `seed`, which it needs, in test.py:12",
    ),
    "a strange option": (
        written("import helpers", "helpers.Reader(file='a')"),
        "`Reader` is given `file`, which it does not take, in test.py:12",
    ),
    "in a function that is called": (
        written("from helpers import load, Reader", "first()", script="def first():\n    return load(Reader(), 2, seed=3)"),
        "`Reader` is not given `path`, which it needs, in test.py:19",
    ),
    "in a function of a helper's": (
        written("from more import first", "first()"),
        "`load` is not given `size`, which it needs, in more.py:5",
    ),
    "under another name": (
        written("from helpers import load", "again(1)", script="again = load"),
        "`load` is not given `size`, which it needs, in test.py:12",
    ),
    "in both arms of a test": (
        written("from helpers import load", "if loader: load()\n    else: load(1, 2, 3)"),
        "`load` is not given `path`, which it needs, in test.py:12",
    ),
    "in what makes an object": (
        written("from more import Config", "Config()"),
        "`load` is not given `size`, which it needs, in more.py:9",
    ),
    "an option that no parser has": (
        written("from more import options\nargs = options()", "print(args.size)"),
        "`args.size`, which test.py:13 asks for, is no option of its parser",
    ),
    "an option that its own parser has not": (
        written("import argparse", script=PARSER + "args = parser.parse_args()\nprint(args.path, args.size)"),
        "`args.size`, which test.py:23 asks for, is no option of its parser",
    ),
    "an option that is given twice": (
        written("import argparse", script=PARSER + "parser.add_argument('-p', '--path')"),
        "`--path` is given to the parser twice, in test.py:22",
    ),
    "a variable that is bound further down": (
        written(before="print(y)"),
        "`y`, which test.py:12 asks for, is bound further down",
    ),
    "one that shadows another of the module": (
        written(before="path = path.strip()", script="path = ''"),
        "`path`, which test.py:12 asks for, is bound further down",
    ),
    "an attribute that a module lacks": (
        written("import helpers", "print(helpers.save)"),
        "`save`, which test.py:12 asks for, is not in `helpers`",
    ),
    "one that a module of a package lacks": (
        written("from tools import write", "write.read('a')"),
        "`read`, which test.py:12 asks for, is not in `tools.write`",
    ),
    "its own call": (written(script="test(1, 2)"), "`test` is given 2 arguments and takes 1, in test.py:18"),
}
MORE_HELPERS = """
from helpers import load

def first():
    return load('a')

class Config:
    def __init__(self):
        load('a')

import argparse

def options():
    parser = argparse.ArgumentParser()
    parser.add_argument('--path')
    return parser.parse_args()

def extend(parser):
    parser.add_argument('--size')
"""
PROJECT = {
    "helpers.py": HELPERS,
    "broken.py": "from helpers import save\n",
    "more.py": MORE_HELPERS,
    "torn.py": "def save(:\n",
    "tools/__init__.py": "",
    "tools/write.py": "def write(path):\n    return path\n",
}


@pytest.mark.parametrize("name", ENDS)
def test_ends(tmp_path: Path, name: str) -> None:
    script, why = ENDS[name]
    found = told(tmp_path, {**PROJECT, "test.py": script})
    assert (found.confidence, found.because) == (Confidence.LOW, f"the run ends before it comes here: {why}")


GOES_ON = {
    "all is there": written(
        "from helpers import load, Reader\nfrom tools.write import write", "load('a', 2, seed=Reader(write('b')))"
    ),
    "a name that is bound further down": written(before="print(total)", script="total = 1"),
    "a name that a function binds for all": written(
        before="print(total)", script="def begin():\n    global total\n    total = 1"
    ),
    "a name that is said to be the module's": written(before="global total\n    print(total)"),
    "a name of Python 2": written(before="print(unicode)"),
    "a name that nothing binds, under a test": written(before="if loader: print(total)"),
    "a name that nothing binds, where that is caught": written(before="try: print(total)\n    except NameError: pass"),
    "a name of a star that is out of sight": written("from somewhere import *", "print(total)"),
    "a name that may be put there": written(before="print(total)", script="globals().update({'total': 1})"),
    "a variable that an arm has bound": written(before="if loader: y = 1\n    print(y)"),
    "one that is bound on the same row": written(before="y = 1; print(y)"),
    "one of the module": written(before="print(net)\n    global net\n    net = net"),
    "one that is handed in": written(before="loader = list(loader)"),
    "one of a comprehension": written(before="print([total for total in loader])\n    total = 1"),
    "one that a head binds": written(before="with open('a') as file, open(file) as y: print(y)"),
    "a module of a package": written("import tools", "print(tools.write)"),
    "an attribute of every module": written("import helpers", "print(helpers.__name__)"),
    "one that is set": written("import helpers", "print(helpers.total)", script="helpers.total = 1"),
    "one of a star": written("import starred", "print(starred.total)"),
    "one of a variable": written("from helpers import Reader", "print(Reader.total)"),
    "a call under a test": written("from helpers import load", "if len(loader) > 9: load()"),
    "a call under a test, and none": written("from helpers import load", "if loader: load()\n    else: print()"),
    "one in a generator": written("from helpers import load", "first()", script="def first():\n    yield load()"),
    "one in a function, under a test": written(
        "from helpers import load", "first()", script="def first():\n    if True: return\n    load()"
    ),
    "an option that is set": written("from more import options\nargs = options()", "print(args.size)", script="args.size = 1"),
    "an option that is set by its name": written(
        "from more import options\nargs = options()", "print(args.size)", script="setattr(args, str(net), 1)"
    ),
    "options that others add": written(
        "import argparse, more", script=PARSER + "more.extend(parser)\nargs = parser.parse_args()\nprint(args.size)"
    ),
    "options of more than one making": written(
        "from more import options\nargs = options()\nargs = vars(args)", "print(args.size)"
    ),
    "an option of several names": written(
        "import argparse", script=PARSER + "args = parser.parse_args()\nprint(args.path, args.seed)"
    ),
    "one of two parsers": written(
        "import argparse", script=PARSER + "other = argparse.ArgumentParser()\nother.add_argument('--path')"
    ),
    "an option that is told again for good": written(
        "import argparse",
        script=PARSER.replace("ser()", "ser(conflict_handler='resolve')") + "parser.add_argument('--path')",
    ),
    "an option under a test": written("import argparse", script=PARSER + "if net: parser.add_argument('--path')"),
    "one that is caught": written("from helpers import load", "try: load()\n    except TypeError: pass"),
    "one after it": written("from helpers import load", after="load()"),
    "one in a lambda": written("from helpers import load", script="later = lambda: load()"),
    "one that is asked for last": written("from helpers import load", "kept = loader and load()"),
    "a name that another function binds": written("from bound import total"),
    "one of a star that is out of sight": written("from starred import total"),
    "one that is put there by its name": written("from given import total"),
    "an error that is meant": written(
        "import contextlib\nfrom helpers import load", "with contextlib.suppress(Exception): load()"
    ),
    "a module of others": written("from somewhere.read import load"),
    "an optional module": written("try:\n    from tools.read import load\nexcept ImportError:\n    load = None"),
    "a module that is built": written("from tools._version import version"),
    "one of those that are built": written("from built import _C"),
    "a compiled module": written("from tools.fast import load"),
    "a module of Python's own": written("from typing import List, Optional"),
    "a module that is no Python": written("import torn\nfrom torn import save"),
    "a package that makes its names": written("from lazy import load"),
    "a folder without a package": written("from data.read import load"),
    "arguments that nobody counts": written("from helpers import load", "load(*loader)"),
    "a function with a decorator": written("from decorated import load", "load(1, 2, 3)"),
    "another name for one of two": written("from helpers import load", "again(1)", script="again = load\nagain = print"),
    "one of two of a name": written(before="both(1, 2)", script="def both(a): pass\ndef both(a, b): pass"),
}
MORE = {
    "lazy/__init__.py": "def __getattr__(name):\n    return name\n",
    "bound.py": "def begin():\n    global total\n    total = 0\n\nbegin()\n",
    "starred.py": "from somewhere import *\n",
    "given.py": "globals()['total'] = 0\n",
    "torch.py": "",
    "tools/fast.pyx": "",
    "typing.py": "",
    "built/__init__.py": "",
    "built/setup.py": "from setuptools import Extension, setup\n\nsetup(ext_modules=[Extension('built._C', ['c.cpp'])])\n",
    "data/write.py": "",
    "decorated.py": "import functools\n\n@functools.cache\ndef load(path):\n    return path\n",
}


@pytest.mark.parametrize("name", GOES_ON)
def test_goes_on(tmp_path: Path, name: str) -> None:
    assert told(tmp_path, {**PROJECT, **MORE, "test.py": GOES_ON[name]}).confidence is Confidence.HIGH


def test_a_name_that_no_cell_binds_was_bound_by_one_that_is_gone(tmp_path: Path) -> None:
    source = written(before="print(total)")
    cell: dict[str, object] = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    assert told(tmp_path, {"test.ipynb": json.dumps(notebook)}, "test.ipynb").confidence is Confidence.HIGH


def test_a_module_that_the_project_alone_has_is_meant_by_a_script_of_another_folder(tmp_path: Path) -> None:
    """It is run with the project's folder on the path."""
    files = {**PROJECT, "scripts/test.py": written("from tools.write import write", "write()")}
    found = told(tmp_path, files, "scripts/test.py")
    assert found.because.endswith("`write` is not given `path`, which it needs, in test.py:12")


def test_what_is_there_from_another_folder(tmp_path: Path) -> None:
    """Which of two modules of a name is meant depends on where the script is run from."""
    files = {
        **PROJECT,
        "inner/test.py": written("from helpers import load"),
        "inner/helpers.py": "def save(path):\n    return path\n",
    }
    assert told(tmp_path, files, "inner/test.py").confidence is Confidence.HIGH


def test_a_call_in_a_notebook_is_told_by_its_cell(tmp_path: Path) -> None:
    code = ["def load(path):\n    return path", "load()", written()]
    cells = [{"cell_type": "code", "source": each, "metadata": {}, "outputs": [], "execution_count": 1} for each in code]
    path = tmp_path / "test.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    (found,) = [each for each in check_file(path, packs.rules()).findings if each.rule.name == "missing-no-grad"]
    assert found.because == "the run ends before it comes here: `load` is not given `path`, which it needs, in cell 2, row 1"


def test_of_a_notebook_what_magics_may_bind(tmp_path: Path) -> None:
    code = ["def load(path):\n    return path", "%run helpers.py", "load()", written()]
    cells = [{"cell_type": "code", "source": each, "metadata": {}, "outputs": [], "execution_count": 1} for each in code]
    path = tmp_path / "test.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    (found,) = [each for each in check_file(path, packs.rules()).findings if each.rule.name == "missing-no-grad"]
    assert found.confidence is Confidence.HIGH


@pytest.mark.parametrize(("modules", "confidence"), [(MOST_MODULES - 1, Confidence.LOW), (MOST_MODULES, Confidence.HIGH)])
def test_how_many_modules_are_looked_at(tmp_path: Path, modules: int, confidence: Confidence) -> None:
    """The last of them imports what is not there."""
    chain = {f"m{at}.py": f"import m{at + 1}\n" for at in range(modules)}
    files = {**PROJECT, **chain, f"m{modules}.py": "from helpers import save\n", "test.py": written("import m0")}
    assert told(tmp_path, files).confidence is confidence


FUNCTION = """
import torch

def test(net, loader):
    net.eval()
    for x, y in loader:
        print((net(x).argmax(1) == y).sum().item())
"""


def test_a_caller_that_nobody_can_read(tmp_path: Path) -> None:
    """It may be the one that turns autograd off."""
    files = {"test.py": FUNCTION, "run.py": "from test import test\nwith torch.no_grad(:\n    test(net, loader)\n"}
    found = told(tmp_path, files)
    assert (found.confidence, found.because) == (Confidence.LOW, "run.py, which may call it, is no Python")


def test_a_caller_in_python_2_is_read_by_that(tmp_path: Path) -> None:
    files = {"test.py": FUNCTION, "run.py": "from test import test\nprint 'begins'\ntest(net, loader)\n"}
    assert told(tmp_path, files).confidence is Confidence.HIGH


SHOWN = """
def show(loss):
    print(loss.data[0])
"""
STEPPED = """
import torch
from torch import nn

net = nn.Linear(3, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, 10)

def fit(loader):
    for epoch in range(90):
        schedule.step()
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(x), y, reduction="none")
            loss{vector}.backward({given})
            optimizer.step()
            print({shown})

fit(torch.utils.data.DataLoader(torch.load("train.pt"), shuffle=True))
"""


PINS = {
    "requirements.txt": ("numpy\ntorch==0.3.1\n", Confidence.LOW),
    "environment.yml": ("dependencies:\n  - pytorch=0.3.0=py36_cuda8\n", Confidence.LOW),
    "setup.py": ("install_requires=['torch<=0.3']\n", Confidence.LOW),
    "README.md": ("## Requirements\n- PyTorch 0.3.0.post4\n", Confidence.LOW),
    "README.rst": ("* Python 3.6, pytorch (v0.3) and CUDA 9\n", Confidence.LOW),
    "README": (
        "Begun with PyTorch 0.3\n- PyTorch 0.3: all is in it\n- PyTorch 0.3.1+\n- PyTorch 0.3 and above\n",
        Confidence.HIGH,
    ),
    "README.txt": ("The code has been tested over Python 3.6, PyTorch 0.4.1 and 1.0.0 versions.\n", Confidence.LOW),
    "README_EN.md": ("Tested with PyTorch 0.4 or above, in PyTorch 0.4+. Runs in PyTorch 0.4\n", Confidence.HIGH),
    "README_MORE.md": ("The code has been tested with PyTorch 1.0 and PyTorch 1.4.\n", Confidence.HIGH),
    "README_ALONE.md": ("## Needs\n\n[PyTorch 0.3](http://pytorch.org/)\n", Confidence.LOW),
    "README_WRITTEN.md": ("The code is written in Python 2.7 and pytorch 0.2.0. Its needs are below.\n", Confidence.LOW),
    "README_FOUND.md": ("It was evaluated on Python 3.6 with PyTorch 1.0 (CUDA9, CUDNN7) and MATLAB.\n", Confidence.LOW),
    "README_MADE.md": ("The network is implemented using PyTorch (0.4.0).\n", Confidence.LOW),
    "README_USED.md": ("We used PyTorch 0.4.1 with a framework of ours.\n", Confidence.LOW),
    "README_USED_SINCE.md": ("We used PyTorch 0.4.1 or newer.\n", Confidence.HIGH),
    "README_DASH.md": ("It is tested with pytorch-1.0.\n", Confidence.LOW),
    "Dockerfile": ("FROM floydhub/pytorch:0.4.1-gpu.cuda9cudnn7-py3.34\n", Confidence.LOW),
    "README_LISTED.md": ("Python 3.6+, PyTorch 0.4 and Ubuntu or macOS.\n", Confidence.LOW),
    "README_MORE_LISTED.md": ("Python 3.6+, PyTorch 0.4+ and Ubuntu or macOS.\n", Confidence.HIGH),
    "README_WHERE.md": ("# PyTorch 0.3 was slow\n\nPyTorch 0.3+\n[PyTorch 0.3](http://a.b) +\n", Confidence.HIGH),
    "requirements_cuda.txt": (
        "http://download.pytorch.org/whl/cu75/torch-0.2.0.post3-cp27-cp27m-linux_x86_64.whl\n",
        Confidence.LOW,
    ),
    "readme/README.md": ("- PyTorch 0.3.1\n", Confidence.HIGH),
    "requirements-dev.txt": ("torch==1.13\n", Confidence.HIGH),
    "notes.txt": ("torch==0.3.1\n", Confidence.HIGH),
    "requirements-old.txt": ("# torch==0.3.1\ntorchvision==0.2\npytorch-lightning==0.1\n", Confidence.HIGH),
}


@pytest.mark.parametrize("name", PINS)
def test_the_release_that_is_asked_for(tmp_path: Path, name: str) -> None:
    """Until 1.1 a schedule was stepped first."""
    text, confidence = PINS[name]
    found = told(
        tmp_path,
        {name: text, "train.py": STEPPED.format(shown="0", vector="", given="")},
        "train.py",
        "scheduler-before-optimizer",
    )
    assert found.confidence is confidence
    assert confidence is Confidence.HIGH or "and this is so since 1.1" in found.because


@pytest.mark.parametrize(("asked", "mended"), [("0.3.1", False), ("0.4", True), ("1.0", True)])
def test_a_release_that_has_nothing_to_mend_it_with(tmp_path: Path, asked: str, mended: bool) -> None:
    """`torch.no_grad` came with 0.4."""
    found = told(tmp_path, {"README.md": f"- PyTorch {asked}\n", "test.py": written()})
    assert (found.repair is not None) is mended
    assert mended or found.unmended == "it is written for torch 0.3.1, which has nothing to mend it with"


@pytest.mark.parametrize(("asked", "confidence"), [("torch>=0.4", Confidence.HIGH), ("numpy", Confidence.LOW)])
def test_a_list_knows_better_than_what_a_network_was_made_with(tmp_path: Path, asked: str, confidence: Confidence) -> None:
    files = {
        "README.md": "The network is implemented with PyTorch 0.4.1.\n",
        "requirements.txt": f"{asked}\n",
        "train.py": STEPPED.format(shown="0", vector="", given=""),
    }
    assert told(tmp_path, files, "train.py", "scheduler-before-optimizer").confidence is confidence


def test_a_release_that_is_asked_for_is_newer_than_the_one_that_a_text_names(tmp_path: Path) -> None:
    files = {
        "README.md": "- PyTorch 0.3.1\n",
        "requirements.txt": "torch>=1.2\n",
        "train.py": STEPPED.format(shown="0", vector="", given=""),
    }
    assert told(tmp_path, files, "train.py", "scheduler-before-optimizer").confidence is Confidence.HIGH


@pytest.mark.parametrize(
    ("shown", "vector", "given", "confidence"),
    [
        ("loss.data[0]", "", "", Confidence.LOW),
        ("loss.item()", "", "", Confidence.HIGH),
        ("loss.data[0]", "", "torch.ones(3)", Confidence.HIGH),
        ("loss.data[0]", ".mean()", "", Confidence.HIGH),
    ],
)
def test_the_release_that_the_code_speaks_of(tmp_path: Path, shown: str, vector: str, given: str, confidence: Confidence) -> None:
    (tmp_path / "train.py").write_text(STEPPED.format(shown=shown, vector=vector, given=given))
    (found,) = check_file(tmp_path / "train.py", packs.rules()).findings
    assert (found.rule.name, found.confidence) == ("scheduler-before-optimizer", confidence)


def test_the_release_that_code_outside_of_functions_speaks_of(tmp_path: Path) -> None:
    """What one function shows is not what another one computes."""
    body = STEPPED.format(shown="loss.data[0]", vector="", given="").replace("def fit(loader):", "if loader:")
    for text, confidence in ((body, Confidence.LOW), (body.replace("loss.data[0]", "0") + SHOWN, Confidence.HIGH)):
        (tmp_path / "train.py").write_text(text.replace("fit(", "print(").replace("if loader", "loader = input()\nif loader"))
        (found,) = check_file(tmp_path / "train.py", packs.rules()).findings
        assert (found.rule.name, found.confidence) == ("scheduler-before-optimizer", confidence)


def test_a_package_that_has_the_name_of_another_one(tmp_path: Path) -> None:
    """What stands beside a module of a package is not what its imports lead to."""
    files = {"lab/__init__.py": "", "lab/tools/__init__.py": "", "lab/test.py": written("from tools.read import load")}
    assert told(tmp_path, {**PROJECT, "tools/read.py": "load = open\n", **files}, "lab/test.py").confidence is Confidence.HIGH


@pytest.mark.parametrize(
    ("beside", "confidence"), [("from lab.nets import net", Confidence.LOW), ("import nets", Confidence.HIGH)]
)
def test_what_a_file_imports_from_beside_it_tells_what_is_on_the_path(
    tmp_path: Path, beside: str, confidence: Confidence
) -> None:
    """By the same folder it finds the package, and not the module."""
    files = {"lab/nets.py": "net = None\n", "lab/test.py": written(f"{beside}\nfrom tools.read import load")}
    assert told(tmp_path, {**PROJECT, **files}, "lab/test.py").confidence is confidence


NETS = """
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x


class Wide(nn.Module):
    def forward(self, x):
        return F.dropout(x){more}
"""
RUN = "from nets import Net\n\nif __name__ == '__main__':\n    print(Net(){other})\n"
SPEAKS = {
    "another script": {"other.py": "import nets\n\nprint(nets.Wide())\n"},
    "a configuration": {"config.yaml": "model: Wide\n"},
    "its own file": {"nets.py": NETS.format(more="\n\n\nchosen = Wide()\n")},
    "what is given a name": {"run.py": RUN.format(other=", getattr(nets, name)") + "import nets\n"},
    "what is given a line": {"run.py": RUN.format(other=", eval(line)")},
    "who installs it": {"setup.py": "import setuptools\n\nsetuptools.setup()\n"},
    "nothing that is run": {"run.py": "from nets import Net\n"},
}


@pytest.mark.parametrize("name", SPEAKS)
def test_what_something_may_speak_of(tmp_path: Path, name: str) -> None:
    files = {"nets.py": NETS.format(more=""), "run.py": RUN.format(other=""), **SPEAKS[name]}
    assert told(tmp_path, files, "nets.py", "ungated-functional-dropout").confidence is Confidence.HIGH


@pytest.mark.parametrize(
    "other",
    ["", ".eval()", ", getattr(net, 'mode', None)", ", getattr(args, name)", ")  # Wide(", ")\n    from nets import (Wide"],
)
@pytest.mark.parametrize("run", [RUN, "from nets import Net\n\nfor _ in range(3):\n    print(Net(){other})\n"])
def test_what_nothing_speaks_of(tmp_path: Path, run: str, other: str) -> None:
    files = {"nets.py": NETS.format(more=""), "run.py": run.format(other=other)}
    found = told(tmp_path, files, "nets.py", "ungated-functional-dropout")
    assert (found.confidence, found.because) == (Confidence.LOW, "nothing in the project speaks of `Wide`")


@pytest.mark.parametrize(("more", "confidence"), [(0, Confidence.LOW), (1, Confidence.HIGH)])
def test_how_much_text_is_searched_for_a_name(tmp_path: Path, more: int, confidence: Confidence) -> None:
    """What is larger is data, of which a project may have any amount."""
    files = {"nets.py": NETS.format(more=""), "run.py": RUN.format(other="")}
    left = MOST_BYTES - sum(map(len, files.values()))
    found = told(tmp_path, {**files, "samples.json": " " * (left + more)}, "nets.py", "ungated-functional-dropout")
    assert found.confidence is confidence


@pytest.mark.parametrize(
    ("more", "confidence"),
    [
        ({}, Confidence.LOW),
        ({"more.py": "from nets import Net\n"}, Confidence.HIGH),
        ({"kinds/__init__.py": "from kinds.sub import nets\n"}, Confidence.HIGH),
        ({"run.sh": "python -m nets\n"}, Confidence.HIGH),
        ({"nets.py": NETS.format(more="\n\n\nprint(Wide())\n")}, Confidence.HIGH),  # a script
        ({"setup.py": "import setuptools\n\nsetuptools.setup()\n"}, Confidence.HIGH),
    ],
)
def test_a_file_that_nothing_speaks_of(tmp_path: Path, more: dict[str, str], confidence: Confidence) -> None:
    files = {
        "nets.py": NETS.format(more=""),
        "old.py": "class Wide:\n    pass\n\n\nif __name__ == '__main__':\n    print(Wide())\n",
    }
    found = told(tmp_path, {**files, **more}, "nets.py", "ungated-functional-dropout")
    assert found.confidence is confidence
    assert ("speaks of `nets.py`" in found.because) is (confidence is Confidence.LOW)


TESTER = """
import torch
from hooks import Hooked
from torch import nn


class Tester{base}:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(3, 3), nn.Dropout())
        self.net.load_state_dict(torch.load("net.pt"))

    def scores(self, loader):
        self.net.eval()
        return [self.net(x).argmax(1).tolist() for x, _ in loader]
"""


@pytest.mark.parametrize(
    ("base", "call", "confidence"),
    [
        ("", "", Confidence.LOW),
        ("(Hooked)", "", Confidence.HIGH),  # of what may call it
        ("", ".scores(loader)", Confidence.HIGH),
    ],
)
def test_a_method_that_nothing_speaks_of(tmp_path: Path, base: str, call: str, confidence: Confidence) -> None:
    run = f"from tester import Tester\n\nif __name__ == '__main__':\n    print(Tester(){call})\n"
    files = {"tester.py": TESTER.format(base=base), "hooks.py": "class Hooked:\n    pass\n", "run.py": run}
    assert told(tmp_path, files, "tester.py").confidence is confidence

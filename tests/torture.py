"""The torture table: files that nobody writes and somebody has, each judged within a budget of time and memory.

    python tests/torture.py            every file
    python tests/torture.py "v = v"    those whose name holds a word
    python tests/torture.py 20         one of twenty

Each is judged by the command line in a process of its own. It has to come to a verdict or to a finding with a name, with an
exit code that is true, in 10 seconds of a common machine and 512 MB, and may say nothing raw. Exit status 1 where one does not.
"""

# ruff: noqa: E501  a file is a line, where it can be

from __future__ import annotations

import ast
import json
import os
import re
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NoReturn, TypeAlias

MOST_SECONDS = 10.0
MOST_MEGABYTES = 512
YARDSTICK = 0.65
"""Seconds that `yardstick` takes on a common machine, of 2023: on one that is slower, or busy with others, a second counts less."""
PATIENCE = 60
"""Seconds after which a file is given up on here, which nothing that is judged should come near."""

HEAD = """\
import torch
from elsewhere import a, b, c, f, loader, unknown
from torch import nn

model = nn.Sequential(nn.Linear(2, 2), nn.Dropout())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
"""
LOOP = """\
for step, (x, y) in enumerate(loader):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
"""

Case: TypeAlias = tuple[str, str | bytes]
"""What a file is called here, and what it holds."""


def table() -> Iterator[tuple[str, bytes]]:
    """All files, their endings among their names."""
    for group in (_growing, _computed, _long, _many, _branching, _calling, _nested, _texts, _encodings, _notebooks, _spelled):
        for name, content in group():
            data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
            yield name if name.endswith((".py", ".ipynb")) else f"{name}.py", data


def _before(code: str) -> str:
    """A script that runs code and trains."""
    return f"{HEAD}{code}\n{LOOP}"


def _inside(code: str) -> str:
    """A script that runs code in its loop."""
    return HEAD + LOOP + "".join(f"    {line}\n" for line in code.splitlines())


STARTS = {
    "unknown": "unknown",
    "loss": "nn.functional.mse_loss(model(a), b)",
    "number": "2",
    "fraction": "1.5",
    "text": "'ab'",
    "list": "[1, 2]",
    "mapping": "{'a': 1}",
    "model": "model",
}

GROWTH = (
    "v = v + v", "v += v", "v = v - v", "v = v * v", "v *= v", "v = v / v", "v = v ** v", "v = v // v", "v = v % v", "v = v << v",
    "v = v | v", "v = v @ v", "v = -v", "v = not v", "v = v < v", "v = v == v", "v = v is v", "v = v in v", "v = v and v",
    "v = v or v", "v = f(v, v)", "v = f(v=v, w=v)", "v = v(v)", "v = v[v]", "v = v[v:v]", "v = v[0]", "v = v.a", "v = v.a(v)",
    "v = [v, v]", "v = (v, v)", "v = {'a': v, 'b': v}", "v = {v: v}", "v = {v, v}", "v = [*v, *v]", "v = {**v, **v}",
    "v = [v] * 100", "v = v * 100", "v = v + [v]", "v = v + v[:1]", "v = f'{v}{v}'", "v = '%s %s' % (v, v)", "v = str(v) + str(v)",
    "v = v.join([v, v])", "v = v.replace('a', 'aa')", "v = v if v else v", "v = v if a else [v]", "v = [v] if v else (v,)",
    "v = torch.stack([v, v])", "v = sum([v, v])", "v = max(v, v)", "v = len(v) + len(v)", "v = zip(v, v)", "v = enumerate(v)",
    "v = iter(v)", "v = list(v)", "v = dict(a=v, b=v)", "v = tuple(v) + tuple(v)", "v = [v for _ in range(4)]",
    "v = {each: v for each in v}", "v = (v for _ in v)", "v = lambda w=v: (w, v)", "v = slice(v, v)", "v = type(v)", "v.a = v",
    "v[0] = v", "v.append(v)", "v.extend(v)", "v.update(a=v)", "v, w = (v, v), v", "v = v if isinstance(v, int) else (v, v)",
    "v = int(v) + int(v)", "v = 10 ** v", "v = v << 1000", "v = nn.Sequential(v, v)", "v = v.to(v)", "v = (w := (v, v))",
    "if v: v = v + 1", "while v: v = (v, v)", "for v in (v, v): v = [v]", "with v as v: v = (v, v)",
)  # fmt: skip


def _growing() -> Iterator[Case]:
    """A value that is made of itself, forty times: written out it would have a million million parts."""
    for line in GROWTH:
        for name, start in STARTS.items():
            yield f"40 {line} of {name}", _before(f"v = {start}\n" + f"{line}\n" * 40)
        yield f"40 {line} in the loop", _inside("v = unknown\n" + f"{line}\n" * 40)
        yield f"40 {line} in a function", _before("def g(v):\n" + f"    {line}\n" * 40 + "    return v\n\n\nloader = g(loader)")


def _computed() -> Iterator[Case]:
    """What takes Python itself more than there is."""
    for code in (
        "10 ** 10 ** 8", "2 ** -(10 ** 9)", "'a' * 10 ** 12", "10 ** 12 * 'a'", "b'a' * 10 ** 12", "[0] * 10 ** 12", "(0,) * 10 ** 12",
        "1 << 10 ** 12", "1e300 ** 1e300", "0 ** -1", "1 // 0", "1 % 0", "'%1000000000d' % 1", "f'{1:1000000000d}'",
        "'{:1000000000}'.format(1)", "'a'.ljust(10 ** 12)", "'a'.zfill(10 ** 12)", "'a'.center(10 ** 10)", "str(10 ** 5000)",
        "int('9' * 5000)", f"int('{'9' * 5000}')", "9" * 4000, "9" * 5000, f"0x{'f' * 100_000}", f"-{'9' * 4300}", f"float('{'9' * 400}')",
        "list(range(10 ** 12))", "sum(range(10 ** 12))", "tuple(range(10 ** 10))", "len(range(10 ** 30))", "range(10 ** 30)[5]",
        "['a' * 100] * 100 * 100 * 100", "'ab' * 99 * 99 * 99 * 99 * 99 * 99", "bytes(10 ** 12)", "bytearray(10 ** 12)",
        "{i: i for i in range(10 ** 9)}", "[i for i in range(10 ** 9)]", "pow(10, 10 ** 9)", "divmod(10 ** 3000, 7)",
        "round(1e308 * 10)", "complex(1e308, 1e308) ** 99", "1j ** 10 ** 10", "True << 10 ** 10", "(-1) ** 0.5", "math.factorial(10 ** 9)",
        "'a,' .split(',') * 10 ** 10", "float('nan') in [float('nan')]", "int('1' * 10, 36) ** 99", "1_0 ** 1_0 ** 1_0",
    ):  # fmt: skip
        short = code if len(code) < 60 else f"{code[:20]} … {len(code)}"
        yield f"v = {short}", _before(f"v = {code}\nfor each in range(3):\n    v = v")
        yield f"lr = {short}", HEAD.replace("lr=0.1", f"lr={code}") + LOOP
        yield f"window {short}", _inside(f"if step % ({code}) == 0:\n    optimizer.zero_grad()")


def _long() -> Iterator[Case]:
    """One of something, as long as it gets."""
    yield "100 kB of letters in a string", _before(f"v = '{'abcdefghij' * 10_000}'")
    yield "1 MB of letters in a string", _before(f"v = '{'a' * 1_000_000}'")
    yield "100 kB of bytes", _before(f"v = b'{'abcdefghij' * 10_000}'")
    yield "100 kB of base64", _before(f"v = '''{'QUJD+/=' * 15_000}'''")
    yield "100 kB of escapes", _before("v = '" + "\\x00" * 25_000 + "'")
    yield "100 kB of backslashes", _before("v = '" + "\\\\" * 50_000 + "'")
    yield "100 kB of quotes", _before("v = '" + '"' * 100_000 + "'")
    yield "100 kB of text in an f-string", _before(f"v = f'{'abcdefghij' * 10_000}{{a}}'")
    yield "10 thousand fields of an f-string", _before("v = f'" + "{a}" * 10_000 + "'")
    yield "100 kB in a comment", _before(f"# {'abcdefghij' * 10_000}")
    yield "100 kB in a docstring", f'"""{"abcdefghij" * 10_000}"""\n' + _before("")
    yield "a name of 100 kB", _before(f"{'a' * 100_000} = 1")
    yield "an option of 100 kB", _before(f"import argparse\np = argparse.ArgumentParser()\np.add_argument('--{'a' * 100_000}')")
    yield "an attribute of 100 kB", _before(f"model.{'a' * 100_000} = 1")
    yield "a call with 5 thousand arguments", _before(f"f({', '.join(f'a{n}' for n in range(5000))})")
    yield "a call with 5 thousand keywords", _before(f"f({', '.join(f'a{n}=a' for n in range(5000))})")
    yield (
        "a function with 5 thousand parameters",
        _before(f"def g({', '.join(f'a{n}=1' for n in range(5000))}):\n    pass\n\n\ng()"),
    )
    yield "a list of 50 thousand", _before(f"v = [{', '.join(str(n) for n in range(50_000))}]")
    yield "a list of 20 thousand rows", _before("v = [\n" + "".join(f"    ({n}, 'text {n}'),\n" for n in range(20_000)) + "]")
    yield "a mapping of 20 thousand", _before("v = {" + ", ".join(f"'k{n}': {n}" for n in range(20_000)) + "}")
    yield "a set of 20 thousand", _before("v = {" + ", ".join(f"'k{n}'" for n in range(20_000)) + "}")
    yield "a network of 2 thousand layers", _before("m = nn.Sequential(" + ", ".join(["nn.Linear(2, 2)"] * 2000) + ")\nm(a)")
    yield "a sum of 200", _before(f"v = {' + '.join(['a'] * 200)}")
    yield "a sum of 200 losses", _inside(f"v = {' + '.join(['loss'] * 200)}\nv.backward()")
    yield "a comparison of 3 thousand", _before(f"v = {' < '.join(['a'] * 3000)}")
    yield "a conjunction of 3 thousand", _before(f"v = {' and '.join(f'unknown.a{n}' for n in range(3000))}")
    yield "a condition of 200", _inside(f"if {' and '.join(f'unknown.a{n}' for n in range(200))}:\n    optimizer.zero_grad()")
    yield "a condition of 200 or", _inside(f"if {' or '.join(f'unknown.a{n}' for n in range(200))}:\n    optimizer.zero_grad()")
    yield "a chain of 200 attributes", _before(f"v = a{'.b' * 200}")
    yield "a chain of 90 calls", _before(f"v = a{'.b()' * 90}")
    yield "a target of 5 thousand", _before(f"{', '.join(f'v{n}' for n in range(5000))} = a")
    yield "an assignment to 5 thousand", _before(f"{' = '.join(f'v{n}' for n in range(5000))} = a")
    yield "a with of 50", _before(f"with {', '.join(f'a as v{n}' for n in range(50))}:\n    pass")
    yield "an import of 5 thousand", f"from elsewhere import {', '.join(f'v{n}' for n in range(5000))}\n" + _before("")
    yield "a module name of 5 thousand parts", f"import {'.'.join(['a'] * 5000)}\n" + _before("")
    yield "a relative import of 5 thousand dots", f"from {'.' * 5000} import a\n" + _before("")
    yield "a base of 200", _before(f"class C({', '.join(['nn.Module'] * 200)}):\n    pass\n\n\nC()(a)")
    yield "decorated 200 times", _before("@a\n" * 200 + "def g():\n    pass\n\n\ng()")
    yield "a match of 500 cases", _before("match a:\n" + "".join(f"    case {n}:\n        v = {n}\n" for n in range(500)))
    yield "an except of 500", _before("try:\n    f()\n" + "".join(f"except E{n}:\n    v = {n}\n" for n in range(500)))


def _many() -> Iterator[Case]:
    """The same again and again."""
    for count in (100, 400):
        yield f"{count} loops", HEAD + LOOP * count
        yield (
            f"{count} loops in functions",
            HEAD
            + "".join(
                f"def train_{n}(loader, model, optimizer):\n" + "".join(f"    {line}\n" for line in LOOP.splitlines())
                for n in range(count)
            ),
        )
    train = "def train_{0}(loader, model, optimizer):\n" + "".join(f"    {line}\n" for line in LOOP.splitlines())
    one = "def train_all():\n    train_{0}(loader, model, optimizer)\n"
    yield (
        "200 callers of one loop",
        HEAD
        + train.format(0)
        + one.format(0).replace("all", "{0}_all").format(0)
        + "".join(f"def main_{n}():\n    train_0(loader, model, optimizer)\n" for n in range(200)),
    )
    yield (
        "100 loops in one loop",
        HEAD + "for epoch in range(3):\n" + "".join(f"    {line}\n" for line in LOOP.splitlines()) * 100,
    )
    yield "400 steps in one loop", HEAD + LOOP + "".join(LOOP.splitlines(keepends=True)[1:]) * 80
    yield "2 thousand steps", HEAD + "optimizer.step()\n" * 2000
    yield "2 thousand steps in a loop", HEAD + "for x in loader:\n" + "    optimizer.step()\n" * 2000
    yield (
        "2 thousand backwards and steps",
        HEAD + "for x in loader:\n" + "    model(x).sum().backward()\n    optimizer.step()\n" * 1000,
    )
    yield "2 thousand forwards", HEAD + "for x in loader:\n" + "    model(x)\n" * 2000
    yield "300 optimizers", HEAD + "".join(f"o{n} = torch.optim.SGD(model.parameters(), lr={n})\n" for n in range(300)) + LOOP
    yield (
        "300 optimizers that step",
        HEAD
        + "".join(f"o{n} = torch.optim.SGD(model.parameters(), lr={n})\n" for n in range(300))
        + ("for x in loader:\n    model(x).sum().backward()\n" + "".join(f"    o{n}.step()\n" for n in range(300))),
    )
    yield (
        "300 models and optimizers",
        HEAD
        + "".join(f"m{n} = nn.Linear(2, 2)\no{n} = torch.optim.SGD(m{n}.parameters(), lr={n})\n" for n in range(300))
        + "for x in loader:\n"
        + "".join(f"    m{n}(x).sum().backward()\n    o{n}.step()\n" for n in range(300)),
    )
    yield (
        "30 schedulers on one optimizer",
        HEAD
        + "".join(f"s{n} = torch.optim.lr_scheduler.StepLR(optimizer, {n})\n" for n in range(1, 30))
        + LOOP
        + "".join(f"    s{n}.step()\n" for n in range(1, 30)),
    )
    yield "2 thousand functions", _before("".join(f"def g{n}(v):\n    return v + {n}\n\n\n" for n in range(2000)))
    yield (
        "2 thousand functions that are called",
        _before(
            "".join(f"def g{n}(v):\n    return model(v) + {n}\n\n\n" for n in range(2000))
            + "".join(f"v = g{n}(a)\n" for n in range(2000))
        ),
    )
    yield (
        "500 classes",
        _before("".join(f"class C{n}(nn.Module):\n    def forward(self, x):\n        return x\n\n\n" for n in range(500))),
    )
    yield (
        "500 classes in a row",
        _before(
            "class C0(nn.Module):\n    pass\n\n\n"
            + "".join(
                f"class C{n}(C{n - 1}):\n    def forward(self, x):\n        return super().forward(x)\n\n\n"
                for n in range(1, 500)
            )
            + "C499()(a).sum().backward()"
        ),
    )
    yield (
        "1 thousand suppressions",
        HEAD
        + LOOP.replace("1.0)", "1.0)  # loopcheck: ignore[clip-after-step] -- known")
        + ("# loopcheck: ignore[clip-after-step] -- known\n" * 1000),
    )
    yield "1 thousand wrong suppressions", HEAD + LOOP + "# loopcheck: ignore[nothing]\n" * 1000
    yield (
        "2 thousand options",
        _before(
            "import argparse\np = argparse.ArgumentParser()\n"
            + "".join(f"p.add_argument('--a{n}', default={n})\n" for n in range(2000))
            + "args = p.parse_args()"
        ),
    )
    yield (
        "2 thousand global names",
        _before("def g():\n    global " + ", ".join(f"v{n}" for n in range(2000)) + "\n    v0 = 1\n\n\ng()"),
    )
    yield (
        "2 thousand attributes",
        _before("class C:\n    def __init__(self):\n" + "".join(f"        self.a{n} = {n}\n" for n in range(2000)) + "\n\nC()"),
    )
    yield "50 thousand lines", _before("v = a\n" * 50_000)
    yield "50 thousand comments", _before("# optimizer.step()\n" * 50_000)
    yield "50 thousand empty lines", _before("\n" * 50_000)
    yield "20 thousand semicolons", _before("v = a; " * 20_000)


def _branching() -> Iterator[Case]:
    """Ways through the code: two to the power of something."""
    tests = [f"unknown.t{n}" for n in range(60)]
    yield "60 tests in a loop", _inside("".join(f"if {test}:\n    optimizer.zero_grad()\n" for test in tests))
    yield "60 tests that step", _inside("".join(f"if {test}:\n    optimizer.step()\n" for test in tests))
    yield "60 tests with else", _inside("".join(f"if {t}:\n    optimizer.step()\nelse:\n    loss.backward()\n" for t in tests))
    yield "60 tests that go on", _inside("".join(f"if {test}:\n    continue\noptimizer.step()\n" for test in tests))
    yield "60 tests that leave", _inside("".join(f"if {test}:\n    break\noptimizer.step()\n" for test in tests))
    yield (
        "60 optimizers by test",
        _before("".join(f"if {t}:\n    optimizer = torch.optim.SGD(model.parameters(), lr={n})\n" for n, t in enumerate(tests))),
    )
    yield "60 models by test", _before("".join(f"if {t}:\n    model = nn.Linear({n}, 2)\n" for n, t in enumerate(tests)))
    yield (
        "60 values by test",
        _before("v = a\n" + "".join(f"if {t}:\n    v = [v, {n}]\n" for n, t in enumerate(tests)) + "if v:\n    optimizer.step()"),
    )
    yield (
        "60 values chosen",
        _before("v = a\n" + "".join(f"v = v if {t} else b\n" for t in tests) + "if v:\n    optimizer.step()"),
    )
    yield (
        "60 numbers chosen",
        _inside("v = 1\n" + "".join(f"v = v + 1 if {t} else v * 2\n" for t in tests) + "if step % v == 0:\n    optimizer.step()"),
    )
    yield (
        "60 losses chosen",
        _inside("v = loss\n" + "".join(f"v = v + f(loss) if {t} else v / 2\n" for t in tests) + "v.backward()"),
    )
    yield (
        "16 tests of losses",
        _inside("".join(f"if {t}:\n    loss = loss / {n + 2}\n" for n, t in enumerate(tests[:16])) + "loss.backward()"),
    )
    yield "60 attributes by test", _before("".join(f"if {t}:\n    model.a{n} = optimizer\n" for n, t in enumerate(tests)))
    yield "60 tries", _inside("try:\n    optimizer.step()\nexcept E:\n    optimizer.zero_grad()\n" * 60)
    yield (
        "30 tries inside one another",
        _inside(
            "".join("    " * n + "try:\n" + "    " * (n + 1) + "optimizer.step()\n" for n in range(15))
            + "".join("    " * n + "finally:\n" + "    " * (n + 1) + "optimizer.zero_grad()\n" for n in reversed(range(15)))
        ),
    )
    yield (
        "18 loops inside one another",
        HEAD + "".join("    " * n + f"for v{n} in loader:\n" for n in range(18)) + "    " * 18 + "optimizer.step()\n",
    )
    yield (
        "18 loops and their tests",
        HEAD
        + "".join("    " * (2 * n) + f"for v{n} in loader:\n" + "    " * (2 * n + 1) + f"if {tests[n]}:\n" for n in range(9))
        + "    " * 18
        + "optimizer.step()\n",
    )
    yield (
        "90 whiles inside one another",
        HEAD + "".join(" " * n + f"while v{n}:\n" for n in range(19)) + " " * 19 + "optimizer.step()\n",
    )
    yield (
        "40 withs inside one another",
        HEAD + "".join(" " * n + "with torch.no_grad():\n" for n in range(19)) + " " * 19 + "model(a)\n",
    )
    yield "40 counters", _inside("".join(f"if step % {n} == 0:\n    optimizer.step()\n" for n in range(2, 42)))
    yield (
        "40 windows of options",
        _inside(
            "".join(f"if (step + 1) % unknown.k{n} == 0:\n    optimizer.step()\n    optimizer.zero_grad()\n" for n in range(40))
        ),
    )
    yield (
        "300 branches of one if",
        _inside("".join(f"{'el' if n else ''}if unknown == {n}:\n    optimizer.step()\n" for n in range(280))),
    )


def _calling() -> Iterator[Case]:
    """Functions that call one another."""
    yield "calls itself", _before("def g(v):\n    optimizer.step()\n    return g(v)\n\n\ng(a)")
    yield "calls itself twice", _before("def g(v):\n    optimizer.step()\n    return g(v) + g(v)\n\n\ng(a)")
    yield "calls itself with more", _before("def g(v):\n    optimizer.step()\n    return g([v, v]) + g((v, v))\n\n\ng(a)")
    yield (
        "two call each other",
        _before("def g(v):\n    model(v)\n    return h(v)\n\n\ndef h(v):\n    return g(v) + g(v)\n\n\ng(a)"),
    )
    doubling = "def g0(v):\n    optimizer.step()\n\n\n" + "".join(
        f"def g{n}(v):\n    g{n - 1}(v)\n    g{n - 1}(v)\n\n\n" for n in range(1, 40)
    )
    yield "40 that call the one before twice", _before(f"{doubling}g39(a)")
    yield "40 that call the one before twice in a loop", HEAD + doubling + "for x in loader:\n    g39(x)\n"
    values = "def g0(v):\n    return model(v)\n\n\n" + "".join(
        f"def g{n}(v):\n    return g{n - 1}(v) + g{n - 1}(v)\n\n\n" for n in range(1, 40)
    )
    yield "40 that add the one before twice", _before(f"{values}g39(a).backward()")
    pairs = "def g0(v):\n    return [v, v]\n\n\n" + "".join(
        f"def g{n}(v):\n    return [g{n - 1}(v), g{n - 1}(v)]\n\n\n" for n in range(1, 40)
    )
    yield "40 that pair the one before", _before(f"{pairs}v = g39(a)")
    everybody = "".join(
        f"def g{n}(v):\n    optimizer.step()\n" + "".join(f"    g{m}(v)\n" for m in range(20)) + "\n\n" for n in range(20)
    )
    yield "20 that all call all", _before(f"{everybody}g0(a)")
    yield (
        "20 functions by test",
        _before(
            "".join(f"def g{n}(v):\n    optimizer.step()\n\n\n" for n in range(20))
            + "h = g0\n"
            + "".join(f"h = g{n} if unknown.t{n} else h\n" for n in range(20))
            + "h(a)\nh(h(a))"
        ),
    )
    yield (
        "functions of functions",
        _before("def g(h):\n    return lambda v: h(h(v))\n\n\n" + "h = model\n" + "h = g(h)\n" * 40 + "h(a)"),
    )
    yield "a function of itself", _before("g = lambda h: h(h)\ng(g)")
    yield "a decorator of itself", _before("def g(h):\n    return g(h)\n\n\n@g\ndef h():\n    pass\n\n\nh()")
    yield "a class of itself", _before("class C(C):\n    pass\n\n\nC()(a)")
    yield (
        "two classes of each other",
        _before("class C(D):\n    pass\n\n\nclass D(C):\n    pass\n\n\nclass C(D):\n    pass\n\n\nC().step()"),
    )
    yield (
        "a model in itself",
        _before(
            "class C(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.c = C()\n        self.d = self\n\n    def forward(self, x):\n        return self.c(self.d(x))\n\n\nC()(a)"
        ),
    )
    yield (
        "properties of each other",
        _before(
            "class C:\n    @property\n    def a(self):\n        return self.b\n\n    @property\n    def b(self):\n        return self.a\n\n\nC().a.step()"
        ),
    )
    yield (
        "getattr of itself",
        _before("class C:\n    def __getattr__(self, name):\n        return getattr(self, name)\n\n\nC().a.step()"),
    )
    yield (
        "a generator of itself",
        _before("def g(v):\n    yield from g(v)\n    yield model(v)\n\n\nfor x in g(a):\n    x.backward()"),
    )
    yield "a closure in a loop", _before("v = f\nfor n in range(9):\n    def v(w=v):\n        return w(w)\nv()")
    yield "100 partials", _before("from functools import partial\n\nv = model\n" + "v = partial(v, v)\n" * 40 + "v()")
    yield "imports itself", "from train import *\nimport train\n" + _before("train.model(a)")
    yield "stars of its own package", "from . import *\nfrom .. import *\n" + _before("")


def _nested() -> Iterator[Case]:
    """Trees that are deeper than any stack."""
    shapes: dict[str, Callable[[int], str]] = {
        "brackets": lambda n: "v = " + "[" * n + "]" * n,
        "parentheses": lambda n: "v = " + "(" * n + ")" * n,
        "mappings": lambda n: "v = " + "{0:" * n + "0" + "}" * n,
        "calls": lambda n: "v = " + "f(" * n + ")" * n,
        "subscripts of subscripts": lambda n: "v = " + "a[" * n + "0" + "]" * n,
        "a sum": lambda n: "v = " + " + ".join(["a"] * n),
        "powers": lambda n: "v = " + " ** ".join(["a"] * n),
        "attributes": lambda n: "v = a" + ".b" * n,
        "chained calls": lambda n: "v = a" + ".b()" * n,
        "subscripts": lambda n: "v = a" + "[0]" * n,
        "not": lambda n: "v = " + "not " * n + "a",
        "minus": lambda n: "v = " + "-" * n + "a",
        "lambdas": lambda n: "v = " + "lambda: " * n + "a",
        "else": lambda n: "v = " + "a if b else " * n + "c",
        "and or": lambda n: "v = " + "a and b or " * n + "c",
        "strings": lambda n: "v = (\n" + "'a'\n" * n + ")",
        "comprehension": lambda n: "v = [a " + "for b in c " * n + "]",
        "comprehensions": lambda n: "v = " + "[" * n + "a" + " for b in c]" * n,
        "f-string": lambda n: "v = f'{" + "(" * n + "1" + ")" * n + "}'",
        "indents": lambda n: "".join(" " * at + "if a:\n" for at in range(n)) + " " * n + "pass",
        "functions": lambda n: "".join(" " * at + f"def g{at}():\n" for at in range(n)) + " " * n + "pass",
        "classes": lambda n: "".join(" " * at + f"class C{at}:\n" for at in range(n)) + " " * n + "pass",
        "elif": lambda n: "if a:\n    pass\n" + "elif b:\n    pass\n" * n,
        "awaits": lambda n: "async def g():\n    v = " + "await " * n + "a",
        "walruses": lambda n: "v = " + "(w := " * n + "a" + ")" * n,
        "stars": lambda n: "v = f(" + "*[" * n + "]" * n + ")",
        "annotations": lambda n: "v: " + "list[" * n + "int" + "]" * n,
        "patterns of mappings": lambda n: "match a:\n    case " + "{0: " * n + "b" + "}" * n + ":\n        pass",
        "patterns": lambda n: "match a:\n    case " + "[" * n + "]" * n + ":\n        pass",
        "decorators": lambda n: "@" + "f(" * n + ")" * n + "\ndef g():\n    pass",
    }
    for name, shape in shapes.items():
        for depth in (8, 20, 90, 150, 250, 2000):
            yield f"{depth} {name}", _before(shape(depth))
    for name in ("brackets", "calls", "a sum", "else", "minus"):
        yield f"50 thousand {name}", _before(shapes[name](50_000))


def _texts() -> Iterator[Case]:
    """What is hardly Python."""
    broken = {
        "nothing": "", "a newline": "\n", "a space": " ", "a null": "\0", "nulls": "optim\0" * 1000, "an open bracket": HEAD + LOOP + "v = (",
        "a closed bracket": HEAD + LOOP + "v = )", "brackets that do not match": HEAD + LOOP + "v = (]", "an open string": HEAD + LOOP + "v = 'a",
        "an open long string": HEAD + LOOP + "v = '''a", "open quotes": HEAD + "'\n" * 20_000, "open long quotes": HEAD + "'''" * 20_001,
        "open brackets": HEAD + "(\n" * 20_000, "a lone backslash": HEAD + LOOP + "\\", "backslashes": HEAD + "\\\n" * 20_000 + LOOP,
        "Python 2": "import torch.optim\nprint 'step'\nexec 'v'\n", "a merge": HEAD + "<<<<<<< ours\n" + LOOP + "=======\n" + LOOP + ">>>>>>> theirs\n",
        "HTML": "<!DOCTYPE html>\n<html><body>optimizer.step()</body></html>\n", "JSON": json.dumps({"optimizer": "step()"}), "XML": "<?xml version='1.0'?><optim/>",
        "a patch": "--- a/train.py\n+++ b/train.py\n@@ -1 +1 @@\n-optimizer.step()\n+loss.backward()\n", "C": "#include <torch.h>\nint main() { optimizer.step(); }\n",
        "a template": "import torch\n{% for x in loader %}\noptimizer.step()\n{% endfor %}\n", "a shebang": "#!/usr/bin/env python\n" + HEAD + LOOP,
        "a file of only a shebang": "#!optim", "tabs and spaces": "if optim:\n\tv = 1\n        v = 2\n", "indented": "".join(f"    {line}\n" for line in (HEAD + LOOP).splitlines()),
        "form feeds": HEAD + "\f\n" * 1000 + LOOP, "vertical tabs": HEAD.replace("\n", "\n\v"), "no newline": (HEAD + LOOP).rstrip(),
        "carriage returns": (HEAD + LOOP).replace("\n", "\r"), "mixed ends": (HEAD + LOOP).replace("\n", "\r\n", 5).replace("\r\n", "\r", 2),
        "carriage returns twice": (HEAD + LOOP).replace("\n", "\r\r\n"), "an end of file": HEAD + "\x1a" + LOOP, "a return outside": HEAD + LOOP + "return 1\n",
        "a yield outside": HEAD + LOOP + "yield 1\n", "an await outside": HEAD + LOOP + "await a\n", "a break outside": HEAD + "break\n" + LOOP,
        "a continue outside": HEAD + "continue\n" + LOOP, "twice the parameter": HEAD + LOOP + "def g(a, a): pass\n", "no target": HEAD + LOOP + "1 = a\n",
        "a star alone": HEAD + LOOP + "*a\n", "a del": HEAD + LOOP + "del model, optimizer, nothing\noptimizer.step()\n", "nonlocal": HEAD + "nonlocal v\n" + LOOP,
        "a future": "from __future__ import nothing\n" + HEAD + LOOP, "barry": "from __future__ import barry_as_FLUFL\n" + HEAD + LOOP,
        "an ellipsis": "...\n" * 1000 + HEAD + LOOP, "HTML in an f-string": _before('v = f"<!DOCTYPE html><b a=\\"{a!r:>{b}}\\">{c}</b>"'),
        "f-string in f-string": _before("v = f\"{f'{a}'}\""), "the same quotes in an f-string": _before('v = f"{f"{a}"}"'), "an open f-string": _before("v = f'{'"),
        "an empty field": _before("v = f'{}'"), "a field of nothing": _before("v = f'{ }'"), "a field that says itself": _before("v = f'{a = !r:^20}'"),
        "a comment in a field": _before('v = f"""{\na  # why\n}"""'), "a format of a format": _before("v = f'{a:{b:{c}}}'"), "names of characters": _before("v = '\\N{LATIN SMALL LETTER A}'"),
        "a wrong name of a character": _before("v = '\\N{nothing}'"), "a template string": _before("v = t'{a}'"), "half an escape": _before("v = '\\x1'"),
        "new syntax": _before("type V = int\n\n\ndef g[T: int = str](v: T) -> T:\n    return v\n\n\ntry:\n    f()\nexcept* E:\n    pass"),
        "old octal": _before("v = 0777"), "a number with a word": _before("v = 1if a else 2"), "numbers of all kinds": _before("v = 0b1, 0o7, 0xF, 1_000, 1e9, 1j, .5, 5."),
        "other digits": _before("v = '٣'"), "not equal as it was": _before("v = a <> b"), "backticks": _before("v = `a`"), "walrus": _before("if (n := len(a)) > 1:\n    pass"),
        "a lambda with everything": _before("v = lambda a, /, b=1, *c, d, e=2, **f: (a, b, c, d, e, f)"), "a slice of everything": _before("v = a[..., 1:2:3, ::, None, *b]"),
        "async everything": _before("async def g():\n    async with a as v, b:\n        async for w in v:\n            await w\n    return [x async for x in a if await x]"),
        "a match of everything": _before("match a, b:\n    case [1, *_, {'k': v, **w}] | C(x=2, y=(3 | 4)) as z if z:\n        optimizer.step()\n    case -1 | 1 + 2j | None | 'a' 'b' | m.n:\n        pass\n    case _:\n        pass"),
    }  # fmt: skip
    yield from broken.items()


def _encodings() -> Iterator[Case]:
    """Bytes and the text that they may be."""
    text = HEAD + LOOP
    for codec in ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "utf-7", "shift_jis", "cp037"):
        yield (
            f"in {codec}",
            text.replace("import torch\n", "import torch  # é\n" if codec != "shift_jis" else "import torch\n").encode(codec),
        )
    for codec in ("latin-1", "utf-8", "utf-7", "utf-7777", "rot13", "rot_13", "base64", "hex", "zlib", "bz2", "uu", "quopri", "unicode_escape",
                  "raw_unicode_escape", "idna", "punycode", "undefined", "mbcs", "utf-16", "utf_8_sig", "ascii", "future_fstrings", "a" * 10_000,
                  "../../x", "\x1b[31mred", "é", "torch", "encodings", "os"):  # fmt: skip
        short = codec.replace("/", " ") if len(codec) < 60 else f"{codec[:9]} … {len(codec)}"
        yield f"says {short.encode('ascii', 'backslashreplace').decode()}", f"# coding: {codec}\n{text}".encode()
        yield (
            f"says {short.encode('ascii', 'backslashreplace').decode()} and has é",
            f"# coding: {codec}\nv = 'é'\n{text}".encode(),
        )
    yield "a byte that is none", text.encode() + b"# \xff\n"
    yield "a cut character", text.encode() + b"# \xe5\xad"
    yield "surrogates", text.encode() + b"v = '\xed\xa0\x80'\n"
    yield "an overlong null", text.encode() + b"v = '\xc0\x80'\n"
    yield "all bytes", bytes(range(256)) + text.encode()
    yield "all bytes as latin-1", b"# coding: latin-1\n# " + bytes(set(range(256)) - {0, 10, 13}) + b"\n" + text.encode()
    yield "a mark in the middle", (HEAD + "\ufeff" + LOOP).encode()
    yield "two marks", ("\ufeff\ufeff" + text).encode()
    yield "an archive", b"PK\x03\x04" + os.urandom(100) + b"optim" * 100
    yield "an image", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"optim.step(" * 100
    yield "5 MB of one letter", text.encode() + b"# " + b"a" * 5_000_000
    yield "5 MB of a list", text.encode() + b"v = [" + b"1, " * 1_600_000 + b"]\n"


def _notebooks() -> Iterator[Case]:
    """What calls itself a notebook."""

    def book(*cells: object, **metadata: object) -> str:
        return json.dumps(
            {"cells": [{"cell_type": "code", "source": cell} for cell in cells], "metadata": metadata, "nbformat": 4}
        )

    code = HEAD + LOOP
    files: dict[str, str] = {
        "plain": book(code), "in lines": book(code.splitlines(keepends=True)), "in cells": book(HEAD, LOOP), "empty": "", "a list": "[]", "a number": "1", "null": "null",
        "text": '"optim"', "no cells": '{"optim": 1}', "cells that are none": '{"cells": "optim.step("}', "a cell that is none": '{"cells": [1, null, "optim"]}',
        "no source": '{"cells": [{"cell_type": "code"}], "optim": 0}', "a source that is none": book(1, None, {"a": "optim"}, [1, None, ["optim"]]),
        "a null in a cell": book(code + "\0"), "surrogates": book(code + "v = '\ud800'"), "not a number": '{"cells": [], "optim": NaN}', "indented": book("".join(f"    {line}\n" for line in code.splitlines())),
        "indented after a magic": book("%%time\n" + "".join(f"    {line}\n" for line in code.splitlines())), "an indented first line": book("  import torch\n" + code), "magics": book("%%bash\noptim", "!ls\n%time\n?a\na??\n" + code),
        "a magic alone": book("%%"), "a magic in a call": book(HEAD + "f(\n%time a\n)\n" + LOOP), "a magic that is cut": book("!ls \\"), "a broken cell": book(HEAD, "v = (", LOOP), "an unclosed string": book(HEAD, "v = '''", LOOP),
        "a top-level await": book(HEAD + "await f()\n" + LOOP), "a top-level return": book(HEAD + "return\n" + LOOP), "in R": book("optim <- 1", language_info={"name": "R"}), "a language that is none": book(code, language_info=3, kernelspec=[1]),
        "metadata that is none": json.dumps({"cells": [{"cell_type": "code", "source": code}], "metadata": None}), "2 thousand cells": book(HEAD, *[LOOP.replace("1.0", str(n)) for n in range(50)], *["v = 1"] * 2000),
        "5 thousand lines": book((HEAD + "v = a\n" * 5000 + LOOP).splitlines(keepends=True)), "deep": "[" * 100_000 + "optim", "deep and closed": '{"optim": ' + "[" * 50_000 + "]" * 50_000 + "}", "cut": book(code)[:-30],
        "an output of 3 MB": json.dumps({"cells": [{"cell_type": "code", "source": code, "outputs": [{"data": {"image/png": "A" * 3_000_000}}]}]}), "twice the key": '{"cells": [], "cells": [{"cell_type": "code", "source": "optim"}]}',
        "worksheets": json.dumps({"worksheets": [{"cells": [{"cell_type": "code", "input": code}]}]}), "worksheets that are none": '{"worksheets": [1, {"optim": 2}]}', "worksheets of nothing": '{"worksheets": 3, "optim": 0}',
        "a large number": '{"cells": [], "optim": ' + "9" * 5000 + "}", "Python instead": code, "a mark": "\ufeff" + book(code), "carriage returns": book(code.replace("\n", "\r")), "deep code": book(HEAD, "v = " + "f(" * 2000 + ")" * 2000, LOOP),
        "a language of 100 kB": book(code, language_info={"name": "python" * 20_000}), "100 kB of questions": book(code + "?" * 100_000), "100 kB of a name": book(code + "a" * 100_000), "100 kB of equals": book(code + "a = " * 25_000 + "1"),
        "100 kB of spaces": book(code + " " * 100_000 + "!"), "100 kB of percents": book(code + "%" * 100_000),
    }  # fmt: skip
    yield from ((f"a notebook, {name}.ipynb", content) for name, content in files.items())


def _spelled() -> Iterator[Case]:
    """Characters that are not what they look like."""
    marks = {"an escape": "\x1b[31m", "a title": "\x1b]0;owned\x07", "a link": "\x1b]8;;http://a\x1b\\", "one byte of escape": "\x9b31m", "a bell": "\x07", "a delete": "\x7f", "right to left": "\u202e", "isolates": "\u2066\u2067\u2069", "no width": "\u200b\u200d\ufeff", "a line end": "\u2028\u2029\x85", "tags": "\U000e0041", "combining": "e" + "\u0301" * 5000, "emoji": "👩‍👩‍👧‍👦" * 100, "wide": "学習" * 200}  # fmt: skip
    for name, mark in marks.items():
        yield f"a comment with {name}", HEAD + LOOP.replace("1.0)", f"1.0)  # {mark}")
        yield f"a string with {name}", HEAD + LOOP.replace("1.0)", f"'{mark}')")
        yield f"a suppression with {name}", HEAD + LOOP.replace("1.0)", f"1.0)  # loopcheck: ignore[{mark}] -- {mark}")
        yield f"an error with {name}", HEAD + LOOP + f"{mark}\n"
        yield f"a method with {name}", HEAD + LOOP.replace("model.parameters()", f"model.parameters(f'{mark}')")
    yield "letters that are the same", _before("ﬁ = 1\nfi = 2\nｖ = v = 3\noptimizer.ｓｔｅｐ()")
    yield (
        "names in every script",
        _before("".join(f"{chr(at)}1 = {at}\n" for at in range(0x80, 0x3000) if chr(at).isidentifier())),
    )


@dataclass(frozen=True)
class Outcome:
    """What came of a file. told: what was said of it."""

    name: str
    seconds: float
    megabytes: int
    status: int
    told: str

    @property
    def wrong(self) -> str:
        """What is not as it has to be, if anything."""
        if self.status not in (0, 1, 3):
            return f"ended with {self.status}: {self.told[-200:]!r}"
        if self.seconds > MOST_SECONDS:
            return "took too long"
        if self.megabytes > MOST_MEGABYTES:
            return "took too much memory"
        if "bug of loopcheck" in self.told or "Traceback" in self.told:
            return f"failed: {self.told[:300]!r}"
        if raw := _RAW.search(self.told):
            return f"said {raw[0]!r}"
        if (self.status == 3) != ("error[" in self.told):
            return f"the exit code does not fit what is told: {self.told[:200]!r}"
        return ""

    def __str__(self) -> str:
        return f"{self.status:3} {self.seconds:6.2f} s {self.megabytes:5} MB  {self.name}: {self.wrong or 'well'}"


_RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def prepare() -> None:
    """Load once what every file needs, before there are copies of this process."""
    from loopcheck import packs
    from loopcheck.cli import check  # noqa: F401
    from loopcheck.read import program  # noqa: F401
    from loopcheck.write import plan  # noqa: F401

    packs.rules()


def judged(name: str, data: bytes, folder: Path) -> Outcome:
    """A file judged in a process of its own, and measured."""
    file, said = folder / f"train{Path(name).suffix}", folder / "said"
    file.write_bytes(data)
    said.write_bytes(b"")
    child = os.fork()
    if not child:
        _judge(file, said)
    status, usage = _waited(child)
    told = said.read_text(encoding="utf-8", errors="surrogateescape")
    seconds = usage.ru_utime + usage.ru_stime
    if seconds > MOST_SECONDS:
        seconds = in_common_seconds(seconds, yardstick())
    return Outcome(name, seconds, usage.ru_maxrss // 1024, status, told)


def in_common_seconds(seconds: float, yardstick: float) -> float:
    """What a machine takes on which the yardstick takes so long, in seconds of a common one; a faster one is given no less."""
    return seconds / max(1.0, yardstick / YARDSTICK)


def yardstick() -> float:
    """The seconds that a fixed piece of work takes, of the kind that judging is."""
    text = "for x in loader:\n    loss = f(model(x), [a + 1, b[0], *c])\n" * 400
    begun = time.process_time()
    for _ in range(10):
        sum(isinstance(node, ast.Name) for node in ast.walk(ast.parse(text)))
    return time.process_time() - begun


def _judge(file: Path, said: Path) -> NoReturn:
    """The whole command line, with what it says in a file."""
    from loopcheck import cli

    handle = os.open(said, os.O_WRONLY)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    sys.argv = ["loopcheck", "check", "--no-cache", str(file)]
    status = 99
    try:
        cli.main()
    except SystemExit as stop:
        status = int(stop.code or 0)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _waited(child: int) -> tuple[int, resource.struct_rusage]:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        done, status, usage = os.wait4(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status), usage
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), usage


def main(words: Sequence[str]) -> int:
    """Judge the files whose name holds one of the words, and print those that went wrong; with words, all."""
    every, words = (int(words[0]), []) if words and words[0].isdigit() else (1, words)
    sys.path[:0] = [str(Path(__file__).parent.parent / each) for each in ("src", "rules")]
    prepare()
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, data in islice(table(), 0, None, every):
            if words and not any(word in name for word in words):
                continue
            outcomes.append(judged(name, data, Path(folder)))
            if outcomes[-1].wrong or words:
                print(outcomes[-1], flush=True)
    wrong = sum(bool(each.wrong) for each in outcomes)
    slowest = max(outcomes, key=lambda each: each.seconds)
    largest = max(outcomes, key=lambda each: each.megabytes)
    print(f"{len(outcomes)} files, {wrong} not as they have to be; the slowest and the largest:\n{slowest}\n{largest}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

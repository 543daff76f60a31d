"""What the index tells of a file at a glance, and that nothing but code is in it."""

from __future__ import annotations

import ast
import random
import tokenize
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from lowered import told_by

from loopcheck.read.front import ir
from loopcheck.read.front.index import Index, index
from loopcheck.read.front.source import Source
from loopcheck.read.text import SourceError

FIXTURES = sorted((Path(__file__).parent.parent / "fixtures").glob("*.py"))


def indexed(code: str) -> Index:
    return index(ast.parse(code))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            "g.h.run(x)",
            {"calls": {"run"}, "taken": {("g", "h"), ("h", "run")}, "made": {("run", 1)}, "heads": set(), "bare": set()},
        ),
        ("g.run(k=x)", {"calls": {"run"}, "heads": {"g"}, "made": {("run", 0)}}),
        ("run(x, *y)", {"calls": {"run"}, "bare": {"run"}, "made": {("run", 2)}}),
        ("self.step(); self.nets[0](x); nets[0](x)", {"members": {"step", "nets"}, "calls": {"step"}}),
        ("self.a = self.b = g; self.c, self.d = x", {"sets": {"a": "g", "b": "g", "c": "", "d": ""}}),
        ("self.a = nn.ModuleList(layers); self.b: int = g", {"sets": {"a": "layers", "b": "g"}}),
        ("self.a: int", {"sets": {}}),
        ("for x in g.h: y", {"over": {"g", "h"}, "statements": 2}),
        ("[x for x in g if y]", {"over": {"g"}, "statements": 1}),
        ("import g.h", {"imports": ["g.h"]}),
        ("from .g import h", {"imports": [".g", ".g.h"]}),
        ("from . import h", {"imports": [".", ".h"]}),
        ("global g, h", {"shared": {"g", "h"}, "mentions": {"self", "a", "b", "c", "d", "e"}}),
        ("yield", {"yields": True}),
        ("yield from x", {"yields": True}),
        ("return", {"returns": False}),
        ("return x", {"returns": True}),
        ("torch.autograd.grad(x)", {"asks": True}),
        ("x.requires_grad_()", {"asks": True}),
        ("x.requires_grad_(True)", {"asks": True}),
        ("x.requires_grad_(False)", {"asks": False}),
        ("x.requires_grad = True", {"asks": True}),
        ("x.requires_grad = False", {"asks": False}),
        ("x.grad", {"asks": False}),
        (
            "pass",
            {"name": "f", "owner": "", "parameters": {"self", "a", "b", "c", "e"}, "mentions": {"self", "a", "b", "c", "d", "e"}},
        ),
        ("pass; break_; 1; ...", {"statements": 1}),
        ("if a: b\n    else: c", {"statements": 3}),
        ("def g():\n        h()", {"calls": {"h"}, "statements": 1}),
    ],
)
def test_what_it_says_of_a_function(body: str, told: dict[str, Any]) -> None:
    found = indexed(f"def f(self, a, *b, c=d, **e):\n    {body}\n").functions[1]
    assert {name: getattr(found, name) for name in told} == told


def test_what_it_says_of_a_file() -> None:
    found = indexed(
        "import a.b\n"
        "parser.add_argument('-l', '--learning-rate', '--rate', default=1e-3)\n"
        "parser.add_argument('-s', default=2)\n"
        "parser.add_argument('--seed', dest='start', default=-1)\n"
        "parser.add_argument('--name', default='x')\n"
        "class A:\n"
        "    def __init__(self): self.net = net\n"
        "    def f(self): self.count += 1; steps += 1\n"
        "class A:\n"
        "    def g(self): self.net.train(); self.now = self.schedule.step()\n"
        "volatile\n"
    )
    assert found.defaults == {"learning_rate": 1e-3, "s": 2, "start": -1}
    assert found.counted == {"count", "steps"}
    assert found.held == {"net", "now"}
    assert found.imports == ["a.b"]
    assert found.volatile
    assert found.uses["net"] == {"train"}
    assert found.uses["schedule"] == {"step", "step="}
    assert found.uses["add_argument"] == {"()"}
    assert found.classes["A"].calls == {"train", "step"}
    assert found.classes["A"].sets == {"net": "net", "now": ""}
    assert [(row, each.owner, each.name) for row, each in found.functions.items()] == [
        (7, "A", "__init__"),
        (8, "A", "f"),
        (10, "A", "g"),
    ]


@pytest.mark.parametrize(
    ("code", "given"),
    [
        ("f(x, k='sum', n=1)", {("k", "sum")}),
        ("k = 'sum'; a.b: str = 'mean'", {("k", "sum"), ("b", "mean")}),
        ("def f(a, b=False, /, k='sum', *, c, d=True, e=None): pass", {("b", False), ("k", "sum"), ("d", True)}),
        ("lambda k='sum': k", set()),
        ("f(k='sum' if a else 'mean')", {("k", "sum"), ("k", "mean")}),
        ("'k = sum'  # k = 'sum'", set()),
    ],
)
def test_what_names_are_given(code: str, given: set[tuple[str, str | bool]]) -> None:
    assert indexed(code).given == given


def test_a_function_is_known_by_its_row_and_a_lambda_is_not() -> None:
    source = Source.parse("a.py", b"@d\ndef f(x=lambda: g()): h()\n")
    (define,) = source.body
    assert isinstance(define, ir.Define)
    (parameter,) = define.code.parameters.positional
    assert isinstance(parameter.default, ir.Lambda)
    assert source.index.of(define.code).calls == {"g", "h"}
    assert source.index.of(parameter.default.code).calls == set()


def test_of_two_classes_of_one_name_each_says_what_it_says_itself() -> None:
    source = Source.parse("a.py", b"@d\nclass A:\n    a = f()\nclass A:\n    a = g()\n")
    first, second = source.body
    assert isinstance(first, ir.Class)
    assert isinstance(second, ir.Class)
    assert source.index.within(first).calls == {"f"}
    assert source.index.within(second).calls == {"g"}
    assert source.index.classes["A"].calls == {"f", "g"}


def test_who_reaches_whom() -> None:
    found = indexed(
        "def a(): b()\ndef b(): c.d()\ndef d(): pass\ndef e(): K()\nclass K:\n    def __init__(self): d()\ndef f(): a\n"
    )
    by_name = {each.name: each for each in found.functions.values()}
    assert {each.name for each in found.reaching([by_name["d"]])} == {"d", "b", "a", "__init__", "e"}
    assert {each.name for each in found.reaching([by_name["a"]])} == {"a"}


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_comments_docstrings_and_blank_lines_change_nothing(path: Path) -> None:
    """They are put in wherever a statement begins."""
    text = path.read_text()
    for seed in range(3):
        assert told_by(indexed(annotated(text, random.Random(seed)))) == told_by(indexed(text))


def annotated(text: str, chance: random.Random) -> str:
    """A text with comments, blank lines, docstrings and ellipses between its statements, full of words that matter elsewhere."""
    lines = text.splitlines(keepends=True)
    begins = _rows_of_statements(text)
    written = []
    for row, line in enumerate(lines, 1):
        if row in begins and chance.random() < 0.5:
            margin = line[: len(line) - len(line.lstrip())]
            more = ["# optimizer.step()\n", "\n", "   # loss.backward()\n"]
            if begins[row]:
                more += [f'{margin}"""model.train() Dropout"""\n', f"{margin}...\n"]
            written.append(chance.choice(more))
        written.append(line)
    return "".join(written)


def _rows_of_statements(text: str) -> dict[int, bool]:
    """The rows on which a statement begins, each with whether another one may be put before it."""
    rows: dict[int, bool] = {}
    new = True
    for lexeme in tokenize.generate_tokens(StringIO(text).readline):
        if lexeme.type == tokenize.NEWLINE:
            new = True
        elif new and lexeme.type not in (tokenize.INDENT, tokenize.DEDENT, tokenize.NL, tokenize.COMMENT):
            new = False
            follows = lexeme.string in ("else", "elif", "except", "finally", "case")
            decorated = rows and text.splitlines()[max(rows) - 1].lstrip().startswith("@")
            first = lexeme.string == "from" and "__future__" in lexeme.line
            rows[lexeme.start[0]] = not (follows or decorated or first or lexeme.type == tokenize.ENDMARKER)
    return rows


def test_code_that_is_too_deep_is_told_with_its_row() -> None:
    """Wherever it stands: a function's body is lowered later, and nobody could tell then."""
    for deep in ("x = a" + " + a" * 400, "x = a" + " or a" * 400, "x = a" + ".b" * 400):
        with pytest.raises(SourceError) as refused:
            Source.parse("a.py", f"def f():\n    pass\ndef g():\n    {deep}\n".encode())
        assert (refused.value.code, refused.value.row) == ("too-deep", 4)

"""Code as people are shown it, and what it costs to look at a text."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import islice

import pytest
from lowered import everywhere
from samples import RULES

from loopcheck import suppress
from loopcheck.read.depth import deep
from loopcheck.read.front import ir
from loopcheck.read.front.source import LONGEST, Site, Source
from loopcheck.read.lexemes import on_one_line
from loopcheck.read.magics import plain


def first(source: Source, kind: type) -> ir.Node | ir.Code:
    return next(each for each in everywhere(source.body) if isinstance(each, kind))


@pytest.mark.parametrize(
    ("code", "kind", "shown"),
    [
        ("f( a,\n   b )", ir.Call, "f(a, b)"),
        ("f(  # c\n  a,  # 'd'\n  b\n)", ir.Call, "f(a, b)"),
        ("f(a['#  b'],  '  c')", ir.Call, "f(a['#  b'], '  c')"),
        ('f("""a\n   b""")', ir.Call, 'f("""a b""")'),
        ("f(a, \\\n  b)", ir.Call, "f(a, b)"),
        ("x = (f(a))", ir.Call, "f(a)"),
        ("x = (f\n  .g(a))", ir.Call, "f .g(a)"),
        ("é = f('é', ü)", ir.Call, "f('é', ü)"),
        ("if a:\n\tf(\ta)", ir.Call, "f(a)"),
        ("if (a or\n    b):  # c\n    pass", ir.If, "if (a or b)"),
        ("for (a, b) in f(c): pass", ir.For, "for (a, b) in f(c)"),
        ("async def f():\n  async for a in b: pass", ir.For, "async for a in b"),
        ("while  a : pass\nelse: b", ir.While, "while a"),
        ("class  A ( B ) : pass", ir.Class, "class A"),
        ("class A(B): pass", ir.Class, "class A"),
        ("def f(): pass", ir.Code, "def f()"),
        ("@a\ndef f(\n    a,\n    b=(1),\n): pass", ir.Code, "def f(a, b=(1))"),
        ("async def f(a, /, *, b=g(1)): pass", ir.Code, "async def f(a, /, *, b=g(1))"),
        ("def f(*a, **b): pass", ir.Code, "def f(*a, **b)"),
        ("lambda: a", ir.Code, "lambda"),
        ("lambda a, b=1: a", ir.Code, "lambda a, b=1"),
        ("match a:\n  case  [b,\n c] if d: pass", ir.Case, "case [b, c] if d"),
        ("x = [a for b in c\n  if d]", ir.Comprehension, "[a for b in c if d]"),
        ("f(a for b in c)", ir.Comprehension, "(a for b in c)"),
        ("f(" + "a" * 57 + ")", ir.Call, "f(" + "a" * 57 + ")"),
        ("f(" + "a" * 58 + ")", ir.Call, "f(" + "a" * 55 + "…"),
    ],
)
def test_a_piece_of_code_in_a_sentence(code: str, kind: type, shown: str) -> None:
    source = Source.parse("a.py", code.encode())
    node = first(source, kind)
    assert source.head(node) == shown
    assert Site(source, node).text == shown
    assert len(shown) <= LONGEST + 1


@pytest.mark.parametrize(
    ("code", "kind", "written", "enclosed"),
    [
        ("x = (  a + b  )", ir.Binary, "a + b", "a + b"),
        ("x = (a + b)", ir.Binary, "a + b", "(a + b)"),
        ("x = (f(a))", ir.Call, "f(a)", "f(a)"),
        ("f(a + b)", ir.Binary, "a + b", "(a + b)"),
        ("x = (a or (b) or (c))", ir.Logical, "a or (b) or (c)", "(a or (b) or (c))"),
        ("x = f(a,\r\n  'é')", ir.Call, "f(a,\r\n  'é')", "f(a,\r\n  'é')"),
    ],
)
def test_code_as_it_is_written(code: str, kind: type, written: str, enclosed: str) -> None:
    source = Source.parse("a.py", code.encode())
    node = first(source, kind)
    assert isinstance(node, ir.Node)
    assert source.code(node) == written
    assert source.enclosed(node) == enclosed


LONG = {
    "one literal": "x = '" + "a" * 300_000 + "'",
    "escapes": 'x = """' + '\\"""' * 75_000,
    "quotes": "'\\'" * 100_000,
    "escaped quotes": ('\\"""\n' * 60_000),
    "lines that end in a quote": "x = '\n" * 60_000,
    "spaces": " " * 300_000 + "x",
    "backslashes": "\\" * 300_000,
    "hashes": "# " * 150_000,
    "dots": "." * 300_000,
    "a list": "x = [" + "'a', " * 60_000 + "]",
    "wide": "x = [" + "'é', " * 50_000 + "]",
    "letters": "rb" * 150_000,
    "question marks": "a?" * 150_000 + "b",
}


@pytest.mark.parametrize(
    "look", [lambda text: deep(text, 300), plain, lambda text: on_one_line(text, 60)], ids=["deep", "plain", "line"]
)
@pytest.mark.parametrize("shape", LONG)
def test_a_long_text_takes_no_longer_than_it_is(shape: str, look: Callable[[str], object]) -> None:
    """What searches a text again for each of its parts would take hours."""
    started = time.process_time()
    look(LONG[shape])
    assert time.process_time() - started < 5


@pytest.mark.parametrize("shape", ["one literal", "a list", "wide", "hashes"])
def test_a_long_file_is_read_at_once(shape: str) -> None:
    started = time.process_time()
    source = Source.parse("a.py", LONG[shape].encode())
    for node in islice(everywhere(source.body), 1_000):
        source.head(node)
    assert time.process_time() - started < 10


def test_a_block_of_comments_is_read_once() -> None:
    text = "# loopcheck: ignore[clip-after-step]\n" * 8_000
    started = time.process_time()
    _, problems = suppress.ignores(text, "a.py", RULES, lambda span: span)
    assert len(problems) == 8_000
    assert time.process_time() - started < 10

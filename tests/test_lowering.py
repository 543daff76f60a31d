"""The code that is interpreted, made from either parser's tree: what it says, where it stands, and when it is made."""

from __future__ import annotations

import ast
import sys
from itertools import islice
from pathlib import Path

import libcst as cst
import loopcheck_rules
import pytest
from lowered import dumped, everywhere, of_libcst, of_python, said, told_by

import loopcheck
from loopcheck.read.front import from_ast, ir
from loopcheck.read.front.concrete import Concrete
from loopcheck.read.front.from_cst import converted, places
from loopcheck.read.front.index import index
from loopcheck.read.front.source import Source
from loopcheck.read.front.syntax import tree
from loopcheck.read.text import SourceError

HERE = Path(__file__).parent
FOLDERS = [Path(loopcheck_rules.__path__[0]), HERE.parent / "fixtures", Path(loopcheck.__file__).parent, HERE]
SCRIPTS = sorted(path for folder in FOLDERS for path in folder.rglob("*.py"))
NOTEBOOKS = sorted((HERE.parent / "fixtures").rglob("*.ipynb"))


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("x = f(1, *a, k=b, **c)", "(Assign [x] (Call f [1 *a k=b **c]))"),
        ("x, (y.z, *w) = v", "(Assign [(Sequence [x (Sequence [(Attribute y z) (Starred w)])])] v)"),
        ("a[0]; a[1:]; a[1, 2]", "(Evaluate (Subscript a 0)) (Evaluate (Subscript a -)) (Evaluate (Subscript a -))"),
        ("x = y = (1)", "(Assign [x y] 1)"),
        ("x: 'int' = (1)", "(Annotate x 'int' 1)"),
        ("x: int", "(Annotate x int -)"),
        ("x = f'a' 'b' f'{{c}}'; y = f'a{b}'", "(Assign [x] 'ab{c}') (Assign [y] (Text [b]))"),
        ("x += a @ -b", "(Augment x + (Binary @ a (Unary - b)))"),
        ("a or b or c", "(Evaluate (Logical or (Logical or a b) c))"),
        ("a and (b or c) and not d", "(Evaluate (Logical and (Logical and a (Logical or b c)) (Not d)))"),
        ("a < b <= c is not d", "(Evaluate (Compare a [< <= is not] [b c d]))"),
        ("a if b else c", "(Evaluate (Conditional b a c))"),
        ("if a: x\nelif b: y", "(If a [(Evaluate x)] [(If b [(Evaluate y)] [])])"),
        ("for i, j in a: break\nelse: b", "(For (Sequence [i j]) a [(Jump break)] [(Evaluate b)])"),
        ("async def f():\n    async for x in y: await z", "(f - [(For x y [(Evaluate z)] [])])"),
        ("while True: continue", "(While True [(Jump continue)] [])"),
        ("with a as b, c: d", "(With a b [(With c - [(Evaluate d)])])"),
        (
            "try: a\nexcept (A, B) as c: b\nexcept: c\nelse: d\nfinally: e",
            "(Try [(Evaluate a)] [(Handler [(Evaluate b)]) (Handler [(Evaluate c)])] [(Evaluate d)] [(Evaluate e)])",
        ),
        ("import a.b, c as d", "(Import [[a.b -] [c d]])"),
        ("from ..a import b, c as d", "(ImportFrom ..a [[b -] [c d]])"),
        ("from . import *", "(ImportFrom . -)"),
        (
            "@d(1)\nclass A(B, metaclass=M, k=1):\n    'doc'\n    x = 1\n    def f(self): return 1",
            "(Class A [B] [(Assign [x] 1) (A.f self [(Return 1)])] [(Call d [1])])",
        ),
        ("def f(a, b: int = 1, /, c=2, *d, e, g=3, **h): ...", "(f a,b:int=1,c=2,*d,e,g=3,**h [])"),
        ("@d\ndef f():\n    def g(): pass", "@d (f - [(g - [])])"),
        ("class A:\n    def f(self):\n        def g(): pass", "(Class A [] [(A.f self [(g - [])])] [])"),
        ("lambda a, *, b=1: a", "(Evaluate (lambda a,*,b=1 [(Return a)]))"),
        ("[a for b in c if d if e for f in g]", "(Evaluate (Comprehension a [(Clause b c [d e]) (Clause f g [])] - False))"),
        ("{a: b for c in d}", "(Evaluate (Comprehension b [(Clause c d [])] a False))"),
        ("{**a, b: c}", "(Evaluate (Mapping [- b] [a c]))"),
        ("{a, *b}; ()", "(Evaluate (Sequence [a (Starred b)])) (Evaluate (Sequence []))"),
        ("f'{a!r:>{b}} {c.d(1)}' 'e'", "(Evaluate (Text [a (Call (Attribute c d) [1])]))"),
        ("(a := b)", "(Evaluate (Walrus a b))"),
        ("def f():\n    yield\n    x = yield a", "(f - [(Evaluate (Yield -)) (Assign [x] (Yield a))])"),
        ("del a, b[0]", "(Forget [a (Subscript b 0)])"),
        ("raise a from b", "(Raise a)"),
        ("assert a, b", "(Evaluate a)"),
        (
            "match a:\n    case 1: b\n    case [x, *_] if c: d\n    case _: e",
            "(Match a [(Case 1 1 False [(Evaluate b)]) (Case [x, *_] if c - False [(Evaluate d)]) (Case _ - True [(Evaluate e)])])",  # noqa: E501
        ),
        ("'doc'\n...\n1\npass", ""),
        ("def f():\n    x = 1\n    if x: global a, b", "(f - [(Elsewhere [a b] True) (Assign [x] 1) (If x [] [])])"),
        (
            "def f():\n    def g():\n        nonlocal a\n    global b",
            "(f - [(Elsewhere [b] True) (g - [(Elsewhere [a] False)])])",
        ),
    ],
)
def test_what_code_comes_to(code: str, told: str) -> None:
    assert " ".join(map(said, of_python(code))) == told
    assert " ".join(map(said, of_libcst(code))) == told


SHAPES = {
    "parentheses": "x = ((1, 2)), (a), (b for b in c), f(d for d in e), f ( # c\n  d for d in (e) )\n(a or (b) or c)\n(f)((a)(b))\n",  # noqa: E501
    "several lines": "x = (\n  a\n  .b(c)  # d\n  (\n d\n)\n)\ny = a \\\n  + b(c, \\\n d)\n",
    "decorators": "@a\n@b(\n  1)\nclass A ( B ) :\n    @c\n\n    # d\n    async  def f(self, x=(1),): pass\n",
    "parameters": "def f(a: (int), /, *b: (c), d: (e) = (g), **h: (i)) -> (j): ...\n",
    "wide": "x = 'é', f('é', g(h)); y = '😀' + k('é')\nif a:\n\té = f(ü)\n\tg(é)\n",
    "tabs": "if a:\n\tif b:\n\t\tf(c)\n\t\twhile\td: e(\tg\t)\n",
    "form feeds": "\x0cimport a\nif b:\n\x0c    c(d)\n    e(f)\n\x0c\nx = f(1)\n",
    "cr": "import a\rif b:\r    c(d, '''x\ry''')\r    e(f)\r",
    "crlf": "import a\r\nif b:\r\n    c(d, '''x\r\ny''')\r\n    e(f\r\n, g)\r\n",
    "no newline": "if a:\n    f(b)",
    "statements": "if a: f(b); g(c);\nx = 1; h(2);\n",
    "subscripts": "x[1], x[1:2], x[1:2, 3], x[1,], x[(1, 2)], x[a:b:c], x[ f(1) : 2 ], x[a,:]\n",
    "strings": "x = f'a {b(c)} {f\"{d(e)}\"}' 'g'\ny = ('h' f'é{i(j)}'\n  f'''k\n {l(m)}\n  é {n(o):>{p(q)}}''')\n'r' 's'\n",
    "patterns": "match a:\n    case (1): b\n    case (c, d): e\n    case ((f | g)) as h: i\n    case A(b, c={'d': -1, **e}) | None: j(k)\n",  # noqa: E501
    "with": "with (a(b) as c, (d)): e\nwith (yield): f\nwith (g): h\n",
    "lambdas": "f(lambda: 0, lambda *a, b=(1): (c for c in a))\n",
    "empty": "# a\n",
}
SCRIPT_SHAPES = [pytest.param(text, id=name) for name, text in SHAPES.items()]


def differences(text: str) -> list[str]:
    """Where the two parsers' trees of a text come to something else."""
    one, other = ast.parse(text), converted(Source.parse("a.py", text.encode()).module, text)
    same = {
        "code": dumped(from_ast.lower(one, text)) == dumped(from_ast.lower(other, text)),
        "index": told_by(index(one)) == told_by(index(other)),
    }
    return [name for name, equal in same.items() if not equal]


def lost(source: Source) -> list[tuple[str, ir.Span]]:
    """The places of events for which libcst's tree has no node."""
    kinds = ir.Call, ir.For, ir.While, ir.If, ir.Class, ir.Code, ir.Comprehension
    return [
        (type(node).__name__, node.span)
        for node in everywhere(source.body)
        if isinstance(node, kinds) and source.tree_node(node) is None
    ]


@pytest.mark.parametrize("text", SCRIPT_SHAPES)
def test_both_parsers_say_the_same_of_it(text: str) -> None:
    assert differences(text) == []
    assert lost(Source.parse("a.py", text.encode())) == []


@pytest.mark.parametrize("part", range(3))
def test_both_parsers_say_the_same_of_every_third_script(part: int) -> None:
    for path in islice(SCRIPTS, 3 * part, None, 9):
        source = Source.parse(str(path), path.read_bytes())
        assert (path, differences(source.text), lost(source)) == (path, [], [])


@pytest.mark.parametrize(
    "text",
    ["f'a{b}c'", "f'{{{b!r:>{n}.3f}}}'", "f'\\t{b}é→'", "rf'\\t{b}'", "'a' f'{b}' 'c'", 'f"""a"{b}"""', "f'plain'"],
)
def test_both_parsers_write_a_formatted_string_the_same(text: str) -> None:
    """The text of a case says what its guard is."""
    code = f"match a:\n    case 1 if a == {text}: pass\n"
    assert differences(code) == []
    one, other = ast.parse(code), converted(Source.parse("a.py", code.encode()).module, code)
    assert ast.unparse(one) == ast.unparse(other)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_place_in_a_notebook_is_found(path: Path) -> None:
    assert lost(Source.parse(str(path), path.read_bytes())) == []


CLASSES = """\
import torch
@torch.no_grad()
class Outer(
    Base,
):
    kept: int = 1; more = (2, 3)

    # about the method
    @torch.no_grad()
    def method(self, x):
        \'\'\'Says
    more.\'\'\'
        if x:
            return (yield (x, "é"), x)

    class Inner:
    \tasync def other(self): return sum(each for each in self)
    \tclass Empty: pass

    last = 4
print(Outer)
"""


@pytest.mark.parametrize("text", [CLASSES, CLASSES.replace("\n", "\r\n"), CLASSES.replace("class Outer", "\fclass Outer")])
def test_a_method_stands_where_it_stands_in_the_whole(text: str) -> None:
    concrete = Concrete(text)
    whole = places(concrete.module, text)
    for node in (each for each in whole if each in concrete.parents):
        assert concrete.place(node) == whole[node], concrete.module.code_for_node(node)
    starts = {(row, column) for row, column, *_ in whole.values()}
    for row, column in starts:
        assert concrete.starting(row, column) is not None
    assert [end for node, end in Concrete(text).starting(10, 8) if isinstance(node, cst.Name)] == [(10, 14)]


def test_a_place_is_the_right_one() -> None:
    """Of nodes that begin at one place, the one that ends where the code ends; of a head the whole statement."""
    source = Source.parse("a.py", b"f(a)(b).c(d for d in e)\nif f(a): pass\n")
    found = [source.tree_node(each) for each in everywhere(source.body) if isinstance(each, (ir.Call, ir.If, ir.Comprehension))]
    texts = {source.module.code_for_node(each) for each in found if each}
    assert texts == {"f(a)(b).c(d for d in e)", "f(a)(b)", "f(a)", "d for d in e", "if f(a): pass\n"}


# --- syntax that is newer than the running Python


NEWER = {
    (3, 11): ["try: a\nexcept* B: f(c)", "a[*b]", "def f(*a: *B): c(d)"],
    (3, 12): [
        "def f[T: int](x: T) -> T: g(x)",
        "class A[T, *U, **P](B):\n    def f(self): g(self)",
        "type X[T] = list[T]\nf(x)",
        "x = f'{a['b']} {f(1)}'",
        "x = f'{f(\n 1)}'",
        "x = f'{f(1) # c\n}'",
        "x = f'{'\\n'.join(a)}'",
        "x = f'{f'{f(1)}'}'",
    ],
    (3, 13): ["def f[T = int](x: T): g(x)"],
    (3, 14): ["x = t'{a} {f(1)}'"],
}


@pytest.mark.parametrize("code", [code for codes in NEWER.values() for code in codes])
def test_newer_syntax_is_read(code: str) -> None:
    source = Source.parse("a.py", f"é = 'ü'; {code}".encode() if "\n" not in code and ":" not in code else code.encode())
    assert any(isinstance(each, (ir.Call, ir.Subscript)) for each in everywhere(source.body))
    assert lost(source) == []


@pytest.mark.parametrize("code", [code for since, codes in NEWER.items() if since <= sys.version_info for code in codes])
def test_newer_syntax_is_read_as_newer_pythons_read_it(code: str) -> None:
    assert differences(code) == []


@pytest.mark.parametrize(
    "code",
    [
        "f() = 1",
        "if a:\n\tb\n        c",
        "print 'x'",
        "f(a=1, b)",
        "x = 08",
        "x = (",
        "def f[T](x):\n  x = (",
        "def f[T](x): '\\N{no such}'",
        "def f[T](x): b'a' 'b'",
        "x = 1\0",
    ],
)
def test_what_no_python_reads_is_refused_in_pythons_words(code: str) -> None:
    with pytest.raises(SyntaxError) as python:
        compile(code.replace("[T]", ""), "a.py", "exec", ast.PyCF_ONLY_AST)
    with pytest.raises(SourceError) as refused:
        tree(code)
    assert refused.value.code == "syntax"
    if "[T]" not in code and "\0" not in code:
        assert (str(refused.value), refused.value.row) == (python.value.msg, python.value.lineno)


def test_deep_code_of_a_newer_python_is_refused() -> None:
    with pytest.raises(SourceError):
        tree("def f[T](x):\n    return " + "(" * 2000 + ")" * 2000)
    with pytest.raises(SourceError):
        tree("type X = int\nx = " + "f(" * 250 + ")" * 250)


# --- when it is made


def test_a_body_that_nobody_asks_for_is_never_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    lowered: list[int] = []
    block = from_ast._Lowering.block

    def counted(self: from_ast._Lowering, body: list[ast.stmt]) -> ir.Block:
        lowered.extend(each.lineno for each in body)
        return block(self, body)

    monkeypatch.setattr(from_ast._Lowering, "block", counted)
    source = Source.parse("a.py", b"class A:\n    def f(self):\n        x\n    def g(self):\n        y\nz = lambda: w\n")
    f, g = (each.code for each in ir.walk(*source.body) if isinstance(each, ir.Define))
    (alone,) = (each.code for each in ir.walk(*source.body) if isinstance(each, ir.Lambda))
    if f.name == "g":
        f, g = g, f
    assert sorted(lowered) == [1, 2, 4, 6]
    assert f.body is f.body
    assert sorted(lowered) == [1, 2, 3, 4, 6]
    assert "body" not in vars(alone)
    assert said(alone.body) == "[(Return w)]"


def test_walking_stays_out_of_functions() -> None:
    block = of_python("x = f(lambda: a)\ndef g():\n    b\nfor c in d: e")
    names = sorted(each.name for each in ir.walk(*block) if isinstance(each, ir.Name))
    assert names == ["c", "d", "e", "f", "x"]

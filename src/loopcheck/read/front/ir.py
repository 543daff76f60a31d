"""The code that is interpreted: a program without its spelling.

A tree of some forty kinds of node, made from a syntax tree by `front.from_ast`, each with the span that it was written at.
It knows no syntax tree and no torch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

Span: TypeAlias = tuple[int, int, int, int]
"""First row and column, last row and the column after the last. Rows count from 1, columns from 0, in code points."""


@dataclass(eq=False, slots=True)
class Node:
    """A piece of code. Two nodes are never equal: a node is a place."""

    span: Span


# what has a value


@dataclass(eq=False, slots=True)
class Literal(Node):
    value: object


@dataclass(eq=False, slots=True)
class Name(Node):
    name: str


@dataclass(eq=False, slots=True)
class Attribute(Node):
    base: Expression
    name: str


@dataclass(eq=False, slots=True)
class Argument(Node):
    """keyword: empty of a positional one. star: `*` or `**` of one that is unpacked."""

    value: Expression
    keyword: str = ""
    star: str = ""


@dataclass(eq=False, slots=True)
class Call(Node):
    function: Expression
    arguments: tuple[Argument, ...]


@dataclass(eq=False, slots=True)
class Sequence(Node):
    """A tuple, a list or a set."""

    elements: tuple[Expression, ...]


@dataclass(eq=False, slots=True)
class Mapping(Node):
    """A dict. keys: None where another one is unpacked."""

    keys: tuple[Expression | None, ...]
    values: tuple[Expression, ...]


@dataclass(eq=False, slots=True)
class Conditional(Node):
    """`then if test else other`."""

    test: Expression
    then: Expression
    other: Expression


@dataclass(eq=False, slots=True)
class Logical(Node):
    """`left and right`, `left or right`."""

    word: str
    left: Expression
    right: Expression


@dataclass(eq=False, slots=True)
class Not(Node):
    operand: Expression


@dataclass(eq=False, slots=True)
class Compare(Node):
    """`left < middle <= right`: one operator for each of `others`."""

    left: Expression
    operators: tuple[str, ...]
    others: tuple[Expression, ...]


@dataclass(eq=False, slots=True)
class Unary(Node):
    operator: str
    operand: Expression


@dataclass(eq=False, slots=True)
class Binary(Node):
    operator: str
    left: Expression
    right: Expression


@dataclass(eq=False, slots=True)
class Subscript(Node):
    """index: None of a slice."""

    base: Expression
    index: Expression | None


@dataclass(eq=False, slots=True)
class Lambda(Node):
    code: Code


@dataclass(eq=False, slots=True)
class Clause(Node):
    """`for target in iterable if test`."""

    target: Expression
    iterable: Expression
    tests: tuple[Expression, ...]


@dataclass(eq=False, slots=True)
class Comprehension(Node):
    """Of a list, a set, a dict or a generator. key: of a dict, whose values are its elements. once: a generator's, which hands
    its elements out one time."""

    element: Expression
    clauses: tuple[Clause, ...]
    key: Expression | None = None
    once: bool = False


@dataclass(eq=False, slots=True)
class Walrus(Node):
    name: str
    value: Expression


@dataclass(eq=False, slots=True)
class Yield(Node):
    value: Expression | None


@dataclass(eq=False, slots=True)
class Text(Node):
    """A string that is put together from values."""

    parts: tuple[Expression, ...]


@dataclass(eq=False, slots=True)
class Starred(Node):
    value: Expression


@dataclass(eq=False, slots=True)
class Opaque(Node):
    """What nothing is known of."""


# what is done


@dataclass(eq=False, slots=True)
class Evaluate(Node):
    value: Expression


@dataclass(eq=False, slots=True)
class Assign(Node):
    targets: tuple[Expression, ...]
    value: Expression


@dataclass(eq=False, slots=True)
class Annotate(Node):
    """annotation: as it is written."""

    target: Expression
    annotation: str
    value: Expression | None


@dataclass(eq=False, slots=True)
class Augment(Node):
    target: Expression
    operator: str
    value: Expression


@dataclass(eq=False, slots=True)
class Return(Node):
    value: Expression | None


@dataclass(eq=False, slots=True)
class Raise(Node):
    value: Expression | None


@dataclass(eq=False, slots=True)
class Jump(Node):
    """how: `break` or `continue`."""

    how: str


@dataclass(eq=False, slots=True)
class Import(Node):
    """names: modules, each with the name that it is bound to, empty where that is its own."""

    names: tuple[tuple[str, str], ...]


@dataclass(eq=False, slots=True)
class ImportFrom(Node):
    """module: with its leading dots. names: None where all are imported."""

    module: str
    names: tuple[tuple[str, str], ...] | None


@dataclass(eq=False, slots=True)
class Forget(Node):
    targets: tuple[Expression, ...]


@dataclass(eq=False, slots=True)
class Elsewhere(Node):
    """`global` and `nonlocal`: variables of a function that are not its own. It stands before everything else.

    outermost: they are the module's; else they are a function's around.
    """

    names: tuple[str, ...]
    outermost: bool


@dataclass(eq=False, slots=True)
class If(Node):
    test: Expression
    then: Block
    other: Block


@dataclass(eq=False, slots=True)
class For(Node):
    """The span is that of the head."""

    target: Expression
    iterable: Expression
    body: Block
    orelse: Block


@dataclass(eq=False, slots=True)
class While(Node):
    test: Expression
    body: Block
    orelse: Block


@dataclass(eq=False, slots=True)
class With(Node):
    """One context manager; several are one inside the other."""

    context: Expression
    target: Expression | None
    body: Block


@dataclass(eq=False, slots=True)
class Handler(Node):
    body: Block


@dataclass(eq=False, slots=True)
class Try(Node):
    body: Block
    handlers: tuple[Handler, ...]
    orelse: Block
    final: Block


@dataclass(eq=False, slots=True)
class Define(Node):
    code: Code


@dataclass(eq=False, slots=True)
class Class(Node):
    """The span is that of the head."""

    name: str
    bases: tuple[Expression, ...]
    body: Block
    decorators: tuple[Expression, ...]


@dataclass(eq=False, slots=True)
class Case(Node):
    """pattern: as Python spells it, with its guard. literal: what the subject is compared with, if that is all.

    wild: it always matches.
    """

    pattern: str
    literal: Expression | None
    wild: bool
    body: Block


@dataclass(eq=False, slots=True)
class Match(Node):
    subject: Expression
    cases: tuple[Case, ...]


Block: TypeAlias = "tuple[Statement, ...]"


@dataclass(frozen=True)
class Parameter:
    """annotation: as it is written, empty where there is none."""

    name: str
    annotation: str = ""
    default: Expression | None = None


@dataclass(frozen=True)
class Parameters:
    """positional: those that may be given by position. rest, options: the names of `*args` and `**kwargs`."""

    positional: tuple[Parameter, ...] = ()
    keyword: tuple[Parameter, ...] = ()
    rest: str = ""
    options: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.positional)


@dataclass(eq=False)
class Code:
    """A function or a lambda. Its body is lowered when somebody asks for it: most functions of a file do not matter.

    The span is that of the head, where a function's name stands. name: `lambda` of one. owner: the class that it stands in.
    """

    span: Span
    name: str
    parameters: Parameters
    decorators: tuple[Expression, ...]
    lower: Callable[[], Block]
    owner: str = ""

    @cached_property
    def body(self) -> Block:
        return self.lower()

    @property
    def title(self) -> str:
        """What a person calls it: `Trainer.fit`."""
        return f"{self.owner}.{self.name}" if self.owner else self.name


Expression: TypeAlias = (
    Literal
    | Name
    | Attribute
    | Call
    | Sequence
    | Mapping
    | Conditional
    | Logical
    | Not
    | Compare
    | Unary
    | Binary
    | Subscript
    | Lambda
    | Comprehension
    | Walrus
    | Yield
    | Text
    | Starred
    | Opaque
)
Statement: TypeAlias = (
    Evaluate
    | Assign
    | Annotate
    | Augment
    | Return
    | Raise
    | Jump
    | Import
    | ImportFrom
    | Forget
    | Elsewhere
    | If
    | For
    | While
    | With
    | Try
    | Define
    | Class
    | Match
)
Place: TypeAlias = Node | Code
"""Where something happens."""


def children(node: Node) -> Iterator[Node]:
    """The nodes that a node is made of; what stands in a function's body is not among them."""
    return _within(node, _fields(type(node)))


def _within(node: Node, fields: tuple[str, ...]) -> Iterator[Node]:
    for name in fields:
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            for each in value:
                if isinstance(each, Node):
                    yield each


_PLAIN = frozenset({"str", "bool", "object", "tuple[str, ...]", "Span"})
"""The types of what holds no node."""


_FIELDS: dict[type, tuple[str, ...]] = {}


def _fields(kind: type[Node]) -> tuple[str, ...]:
    """The fields of a kind of node that may hold nodes. Kept, for it is asked of every node."""
    known = _FIELDS.get(kind)
    if known is None:
        known = _FIELDS[kind] = tuple(name for name in kind.__slots__ if kind.__annotations__[name] not in _PLAIN)
    return known


def identifiers(*roots: Node) -> set[str]:
    """The names and attributes that nodes mention."""
    return {each.name for each in walk(*roots) if isinstance(each, (Name, Attribute))}


def walk(*roots: Node) -> Iterator[Node]:
    """Nodes and all below them; what stands in a function's body is not among them."""
    work = list(roots)
    while work:
        node = work.pop()
        yield node
        if fields := _fields(type(node)):
            work += _within(node, fields)


def blocks(statement: Node) -> Iterator[Block]:
    """The blocks of a statement, those of its handlers and cases among them; a function's body is not."""
    yield from (getattr(statement, name) for name, of in type(statement).__annotations__.items() if of == "Block")
    for each in children(statement):
        if isinstance(each, (Handler, Case)):
            yield each.body


@lru_cache(maxsize=1 << 13)
def calls_in(block: Block) -> tuple[Call, ...]:
    """The calls in a block; what stands in a function's body is not among them. Kept, for much is asked of the same ones."""
    return tuple(each for each in walk(*block) if isinstance(each, Call))

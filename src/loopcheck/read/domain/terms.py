"""Terms: the structure of values that are not known. Equal terms are one object.

Interning makes a comparison cost nothing however deep a term is, and a term that holds another twice no larger than one that
holds it once: `x = x + x`, written thirty times, is thirty terms.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import partial
from typing import TypeAlias
from weakref import ref

Operand: TypeAlias = "Term | Hashable"
BY_ITSELF = "a tensor"
"""The label of a new one that is made with a gradient of its own, and is in no network yet."""
BUFFER = "a buffer"
"""The label of a new one that a network has beside its layers."""
LONGEST = 60
"""Nodes of a term that is written out; a longer one is cut."""


class Term:
    """An operation on terms and constants. Equal head and equal operands make the same object.

    head: `name` (a variable of a frame), `new` (a value unlike any other), `attribute`, `item`, `call`, or an operator.
    size: nodes when written out, counted no further than matters.
    """

    __slots__ = ("__weakref__", "_name", "head", "operands", "size")
    head: str
    operands: tuple[Operand, ...]
    size: int
    _name: str | None

    def __new__(cls, head: str, *operands: Operand) -> Term:
        key = (head, operands)  # a term that it holds is equal to itself alone
        known = _interned.get(key)
        term = None if known is None else known()
        if term is not None:
            return term
        term = super().__new__(cls)
        term.head, term.operands, term._name = head, operands, None
        term.size = min(1 + sum([each.size if type(each) is Term else 1 for each in operands]), 10**6)
        _interned[key] = ref(term, partial(_forgotten, key))
        return term

    @staticmethod
    def met(head: str, *operands: Operand) -> Term | None:
        """The term, if anything has it."""
        known = _interned.get((head, operands))
        return None if known is None else known()

    def __reduce__(self) -> tuple[type[Term], tuple[object, ...]]:
        return Term, (self.head, *self.operands)

    @property
    def name(self) -> str:
        """How the program calls it, `self.model`; empty of what a call returned."""
        if self._name is None:
            self._name = self._called()
        return self._name

    def _called(self) -> str:
        match self.head, self.operands:
            case "name" | "formal", (_, str(name)):
                return name
            case "new", (label, _) if label == BY_ITSELF:
                return ""
            case "new" | "instance", (str(label), _):
                return label.rpartition(".")[2] or label
            case "attribute", (Term(head="instance"), str(name)):
                return name
            case "part", (_, _, str(name)):
                return name
            case "attribute", (Term() as base, str(name)) if base.name:
                return f"{base.name}.{name}"
            case "item", (Term() as base, index) if base.name:
                return f"{base.name}[{_text(index)}]"
            case _:
                return ""

    @property
    def origin(self) -> str:
        """What it is called or came out of: `Transport.losses` of `Transport(options).losses`."""
        match self.head, self.operands:
            case "call", (str(name), *_):
                return name
            case "attribute", (Term() as base, str(name)) if not self.name and base.origin:
                return f"{base.origin}.{name}"
            case _:
                return self.name

    @property
    def text(self) -> str:
        """What is shown of it where it is written nowhere."""
        if self.name:
            return self.name
        if self.size > LONGEST:
            return "…"
        parts = [_text(each) for each in self.operands]
        match self.head:
            case "new" | "instance":
                return parts[0]
            case "constant" | "api" | "mode":
                return parts[-1]
            case "object":
                return parts[1]
            case "Function":  # a name of it would be taken for that of what is called
                return "Function()"
            case "call":
                return f"{parts[0]}(…)" if len(parts) > 1 else f"{parts[0]}()"
            case "attribute":
                return ".".join(parts)
            case "item":
                return f"{parts[0]}[{parts[1]}]"
            case head if len(parts) == 2:
                return f"{parts[0]} {head} {parts[1]}"
            case head:
                return f"{head}({', '.join(parts)})"

    def mentions(self, name: str) -> bool:
        """Whether an attribute of this name is taken anywhere in it."""
        return any(each.head == "attribute" and each.operands[1] == name for each in self.parts())

    def parts(self) -> Iterator[Term]:
        """The term and every term in it, each once."""
        seen = {self}
        work = [self]
        while work:
            term = work.pop()
            yield term
            fresh = {each: None for each in term.operands if isinstance(each, Term) and each not in seen}
            seen.update(fresh)
            work += fresh

    def replaced(self, term: Term, other: Term) -> Term:
        """The same with another term in place of one that is an operand of it, or of an operand of it, and so on."""
        if self is term:
            return other
        if all(each is not term for each in self.parts()):
            return self
        return Term(self.head, *(each.replaced(term, other) if isinstance(each, Term) else each for each in self.operands))

    def __repr__(self) -> str:
        return f"Term({self.head!r}, {', '.join(map(repr, self.operands))})" if self.size < LONGEST else "Term(…)"


def constant(value: object) -> Hashable:
    """A literal as an operand: `1`, `1.0` and `True` are three."""
    if isinstance(value, (str, bytes)) and len(value) >= LONGEST:
        return type(value).__name__, f"{value[:9]!r}…{hash(value)}"
    if isinstance(value, int) and value.bit_length() > 4 * LONGEST:
        return type(value).__name__, f"…{hash(value)}"  # Python writes out no number of thousands of digits
    return type(value).__name__, repr(value)


def _forgotten(key: Hashable, gone: ref[Term]) -> None:
    """Nobody has a term any more; another one may have been made in its place."""
    if _interned.get(key) is gone:
        del _interned[key]


def _text(operand: Operand) -> str:
    match operand:
        case Term():
            return operand.text
        case (str(), str(text)):
            return text
        case _:
            return str(operand)


_interned: dict[Hashable, ref[Term]] = {}
"""By head and operands. `WeakValueDictionary` does the same at twice the cost, and this is asked at every step."""

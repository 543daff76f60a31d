"""The statements of a source: where they stand, what shares their lines, what is around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

import libcst as cst

from loopcheck.finding import Span
from loopcheck.read.front.concrete import parts
from loopcheck.read.front.source import Source
from loopcheck.read.lexemes import Lexemes

Function: TypeAlias = cst.FunctionDef | cst.Lambda


class NoPlan(Exception):
    """The repair cannot be addressed here, and the finding goes without one; why, in a clause, where a person can see it."""


class NoLoop(NoPlan):
    """What is to be mended is in no loop of its function."""

    def __init__(self) -> None:
        super().__init__("there is no loop around it")


def likeliest(reasons: Iterable[NoPlan]) -> NoPlan:
    """Of the reasons against several ways to write a repair the first that says something."""
    return next((reason for reason in reasons if str(reason)), NoPlan())


@dataclass(frozen=True)
class Statement:
    """One statement, simple or compound."""

    source: Source
    node: cst.BaseSmallStatement | cst.BaseCompoundStatement

    @cached_property
    def span(self) -> Span:
        return self.source.span_of(self.node)

    @cached_property
    def first(self) -> int:
        """The first row, decorators included."""
        decorators = getattr(self.node, "decorators", ())
        return min([self.span.row, *(self.source.span_of(decorator).row for decorator in decorators)])

    @cached_property
    def last(self) -> int:
        """The last row; of a compound statement with the comments that end its body."""
        lines, row = self.source.lines, self.span.end_row
        if isinstance(self.node, cst.BaseCompoundStatement):
            for below in range(row + 1, len(lines) + 1):
                line = lines[below - 1]
                if line.strip() and not (line.lstrip().startswith("#") and len(margin(line)) > len(self.indent)):
                    break
                row = below if line.strip() else row
        return row

    @property
    def head(self) -> str:
        """What is before it on its first row."""
        return self.source.lines[self.first - 1][: self.span.column - 1 if self.first == self.span.row else None]

    @property
    def tail(self) -> str:
        """What is after it on its last row, the comment and the newline among it."""
        return self.source.lines[self.span.end_row - 1][self.span.end_column - 1 :]

    @property
    def opens_line(self) -> bool:
        return not self.head.strip() or self.first != self.span.row

    @property
    def closes_line(self) -> bool:
        return not self.tail.strip() or self.tail.lstrip().startswith("#")

    @property
    def whole(self) -> bool:
        """It has its lines for itself."""
        return self.opens_line and self.closes_line

    @cached_property
    def indent(self) -> str:
        return margin(self.source.lines[self.span.row - 1])

    @cached_property
    def block(self) -> cst.CSTNode:
        """What holds it and its siblings: an indented block, a one-line suite or the module."""
        parent = self.source.parents[self.node]
        return self.source.parents[parent] if isinstance(parent, cst.SimpleStatementLine) else parent

    @property
    def in_suite(self) -> bool:
        return isinstance(self.block, cst.SimpleStatementSuite)

    @property
    def siblings(self) -> tuple[Statement, ...]:
        """The statements of its block, itself among them."""
        return statements(self.source, self.block)

    @property
    def position(self) -> int:
        return _positions(self.source, self.block)[self.node]

    @cached_property
    def parent(self) -> Statement | None:
        """The compound statement that it is in, for an `elif` the whole; None at the module's level."""
        node: cst.CSTNode = self.block
        while not isinstance(node, cst.BaseCompoundStatement) or is_elif(self.source, node):
            if isinstance(node, cst.Module):
                return None
            node = self.source.parents[node]
        return Statement(self.source, node)

    @property
    def around(self) -> Iterator[Statement]:
        """The compound statements that it is in, from the inside out, up to the function, the function not among them."""
        outer = self.parent
        while outer and not isinstance(outer.node, (cst.FunctionDef, cst.ClassDef)):
            yield outer
            outer = outer.parent

    @property
    def title(self) -> str:
        """The statement in few words: `optimizer.step()`, `clip_grad_norm_(…)`, `for images, labels in loader:`."""
        call = call_of(self.node)
        return short(call) if call else brief(text_of(self.source, self.span).split("\n")[0].partition("  #")[0].strip())


def margin(line: str) -> str:
    """The indentation of a line."""
    return line[: len(line) - len(line.lstrip())].rpartition("\f")[2]


@lru_cache(maxsize=64)
def statements(source: Source, block: cst.CSTNode) -> tuple[Statement, ...]:
    """What a block, a suite or a module holds, one after the other; kept, for every repair in it asks."""
    found: list[Statement] = []
    for item in getattr(block, "body", ()):
        if isinstance(item, cst.SimpleStatementLine):
            found += [Statement(source, small) for small in item.body]
        else:
            found.append(Statement(source, item))
    return tuple(found)


@lru_cache(maxsize=64)
def _positions(source: Source, block: cst.CSTNode) -> Mapping[cst.CSTNode, int]:
    return {each.node: number for number, each in enumerate(statements(source, block))}


def statement_of(source: Source, node: cst.CSTNode) -> Statement:
    """The statement that a node is in or is.

    Raises NoPlan where nothing put before or after the statement would happen once before or after the node.
    """
    while not isinstance(node, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
        if node not in source.parents or isinstance(node, cst.Lambda):
            raise NoPlan("it stands in a lambda")
        node = source.parents[node]
    if isinstance(node, cst.While) or is_elif(source, node):
        raise NoPlan("it stands in the condition of a `while` or an `elif`")
    return Statement(source, node)


def is_elif(source: Source, node: cst.CSTNode) -> bool:
    """An `elif` is an `if` to libcst, but nothing can be put before or after it."""
    return isinstance(node, cst.If) and isinstance(source.parents[node], cst.If)


def function_of(source: Source, node: cst.CSTNode) -> Function | cst.ClassDef | None:
    """The innermost function or class that a node is in; None at the module's level."""
    while node in source.parents:
        node = source.parents[node]
        if isinstance(node, (cst.FunctionDef, cst.Lambda, cst.ClassDef)):
            return node
    return None


def within(source: Source, node: cst.CSTNode, outer: cst.CSTNode) -> bool:
    """Whether a node is another or somewhere inside it."""
    while node is not outer:
        if node not in source.parents:
            return False
        node = source.parents[node]
    return True


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and all below it that is code."""
    work = [node]
    while work:
        node = work.pop()
        yield node
        work += parts(node)


def unit_at(source: Source, node: cst.CSTNode) -> str:
    """One level of indentation as a compound statement has it, or the block around a node: a file may have several."""
    block = getattr(node, "body", None)
    while not isinstance(block, cst.IndentedBlock) and node in source.parents:
        block = node = source.parents[node]
    indent = block.indent if isinstance(block, cst.IndentedBlock) else None
    return source.module.default_indent if indent is None else indent


def text_of(source: Source, span: Span) -> str:
    """What stands at a span."""
    lines = source.lines[span.row - 1 : span.end_row]
    if len(lines) == 1:
        return lines[0][span.column - 1 : span.end_column - 1]
    return lines[0][span.column - 1 :] + "".join(lines[1:-1]) + lines[-1][: span.end_column - 1]


def code(node: cst.CSTNode) -> str:
    """A node's text on one line, the parentheses around it among it."""
    return " ".join(cst.Module([]).code_for_node(node).split())


def dotted(node: cst.BaseExpression) -> str:
    """What is called or used, as far as it has a name: `self.model`, `….item`."""
    match node:
        case cst.Name(value):
            return value
        case cst.Attribute(base, cst.Name(name)):
            return f"{dotted(base)}.{name}"
        case _:
            return "…"


def call_of(node: cst.CSTNode) -> cst.Call | None:
    """The call that a simple statement consists of, its value bound or not."""
    value = node.value if isinstance(node, (cst.Expr, cst.Assign, cst.AnnAssign)) else node
    value = value.expression if isinstance(value, cst.Await) else value
    return value if isinstance(value, cst.Call) else None


def short(call: cst.Call) -> str:
    """A call in few words: whole where it is short, else its name; of what is called on what a call has made, `net(x).cpu()`,
    the last name says nothing."""
    whole = code(call)
    if len(whole) <= 30:
        return whole
    if dotted(call.func).startswith("…"):
        return brief(whole)
    name = code(call.func)
    last = call.func.attr.value if isinstance(call.func, cst.Attribute) else brief(name)
    return f"{name if len(name) <= 24 else last}({'…' if call.args else ''})"


def brief(text: str) -> str:
    """A text on one line, as much of it as a sentence can hold."""
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "…"


@lru_cache(maxsize=8)
def quotes(source: Source) -> str:
    """What most strings of a file stand in, single quotes or double ones."""
    strings = [source.text[each.end - 1] for each in Lexemes(source.text).after() if each.kind == "string"]
    return "'" if strings.count("'") > strings.count('"') else '"'


@lru_cache(maxsize=8)
def faithful(source: Source) -> bool:
    """Whether the tree's positions are the text's: libcst forgets a form feed at the beginning and a lone CR at the end."""
    text = source.text
    if "\f" not in text and "\r" not in text.replace("\r\n", ""):
        return True
    text = text.rstrip("\r\n")
    return source.module.code.rstrip("\r\n") in (text, text.lstrip("\f"))

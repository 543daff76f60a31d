"""Lowering: from Python's syntax tree to the code that is interpreted.

What cannot be told from a piece of code, and does not matter, is lowered to `Opaque`.
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from loopcheck.read.front import ir

_BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.MatMult: "@",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
_COMPARED = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not",
    ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_CLOSED = re.compile(r"(?:\s*\))*")
_UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}
_WORDS = {ast.FunctionDef: "def ", ast.AsyncFunctionDef: "async def ", ast.Lambda: ""}


def lower(tree: ast.Module, text: str) -> ir.Block:
    """The code of a module."""
    return _Lowering(text).block(tree.body)


class _Lowering:
    """Lowers the nodes of one text."""

    def __init__(self, text: str) -> None:
        self._lines = io.StringIO(text, newline=None).readlines()
        self._ascii = text.isascii()
        self._columns = cache(self._columns_of)
        self._owner = ""
        self._elsewhere: list[ir.Elsewhere] = []

    def _columns_of(self, row: int) -> Sequence[int]:
        """The column of each byte of a row: Python counts in bytes, people in characters."""
        line = self._lines[row - 1]
        if line.isascii():
            return range(len(line) + 1)
        return [*(column for column, each in enumerate(line) for _ in each.encode()), len(line)]

    def span(self, node: Any) -> ir.Span:
        """Where a node stands."""
        row, column, last, end = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
        return (row, column, last, end) if self._ascii else (row, self._columns(row)[column], last, self._columns(last)[end])

    def _to(self, start: ast.AST, last: ast.AST) -> ir.Span:
        """From the beginning of a node to the end of another one."""
        return (*self.span(start)[:2], *self.span(last)[2:])

    def _closed(self, span: ir.Span) -> ir.Span:
        """With the brackets that close right behind it."""
        row, column, last, end = span
        closed = _CLOSED.match(self._lines[last - 1], end)
        return (row, column, last, closed.end()) if closed else span

    def _written(self, node: ast.expr) -> str:
        """What stands at a node."""
        row, column, last, end = self.span(node)
        if row == last:
            return self._lines[row - 1][column:end]
        return self._lines[row - 1][column:] + "".join(self._lines[row : last - 1]) + self._lines[last - 1][:end]

    # statements

    def block(self, body: Sequence[ast.stmt]) -> ir.Block:
        return tuple(lowered for each in body if (lowered := self.statement(each)) is not None)

    def statement(self, node: ast.stmt) -> ir.Statement | None:
        lowering = _STATEMENTS.get(type(node))
        return lowering(self, node) if lowering else None

    def _expr(self, node: ast.Expr) -> ir.Statement | None:
        if isinstance(node.value, ast.Constant):
            return None  # a docstring, or `...`
        return ir.Evaluate(self.span(node), self.value(node.value))

    def _assert(self, node: ast.Assert) -> ir.Statement:
        return ir.Evaluate(self.span(node), self.value(node.test))

    def _assign(self, node: ast.Assign) -> ir.Statement:
        return ir.Assign(self.span(node), self.values(node.targets), self.value(node.value))

    def _annotate(self, node: ast.AnnAssign) -> ir.Statement:
        return ir.Annotate(self.span(node), self.value(node.target), self._written(node.annotation), self._maybe(node.value))

    def _augment(self, node: ast.AugAssign) -> ir.Statement:
        return ir.Augment(self.span(node), self.value(node.target), _BINARY[type(node.op)], self.value(node.value))

    def _return(self, node: ast.Return) -> ir.Statement:
        return ir.Return(self.span(node), self._maybe(node.value))

    def _raise(self, node: ast.Raise) -> ir.Statement:
        return ir.Raise(self.span(node), self._maybe(node.exc))

    def _jump(self, node: ast.Break | ast.Continue) -> ir.Statement:
        return ir.Jump(self.span(node), "break" if isinstance(node, ast.Break) else "continue")

    def _import(self, node: ast.Import) -> ir.Statement:
        return ir.Import(self.span(node), tuple((alias.name, alias.asname or "") for alias in node.names))

    def _import_from(self, node: ast.ImportFrom) -> ir.Statement:
        names = tuple((alias.name, alias.asname or "") for alias in node.names)
        starred = any(name == "*" for name, _ in names)
        return ir.ImportFrom(self.span(node), "." * node.level + (node.module or ""), None if starred else names)

    def _delete(self, node: ast.Delete) -> ir.Statement:
        return ir.Forget(self.span(node), self.values(node.targets))

    def _if(self, node: ast.If) -> ir.Statement:
        return ir.If(self._to(node, node.test), self.value(node.test), self.block(node.body), self.block(node.orelse))

    def _for(self, node: ast.For | ast.AsyncFor) -> ir.Statement:
        head = self._to(node, node.iter)
        return ir.For(head, self.value(node.target), self.value(node.iter), self.block(node.body), self.block(node.orelse))

    def _while(self, node: ast.While) -> ir.Statement:
        return ir.While(self._to(node, node.test), self.value(node.test), self.block(node.body), self.block(node.orelse))

    def _with(self, node: ast.With | ast.AsyncWith) -> ir.Statement:
        head = self._to(node, node.items[-1].context_expr)
        inner = self.block(node.body)
        for item in reversed(node.items):
            inner = (ir.With(head, self.value(item.context_expr), self._maybe(item.optional_vars), inner),)
        return inner[0]

    def _try(self, node: Any) -> ir.Statement:
        handlers = tuple(ir.Handler(self._except(each), self.block(each.body)) for each in node.handlers)
        return ir.Try(self.span(node), self.block(node.body), handlers, self.block(node.orelse), self.block(node.finalbody))

    def _except(self, node: ast.ExceptHandler) -> ir.Span:
        row, column, *_ = self.span(node)
        return self._to(node, node.type) if node.type else (row, column, row, column + len("except"))

    def _define(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ir.Statement:
        code = self._code(node, node.name, node.decorator_list, partial(self._body, node.body))
        return ir.Define(code.span, code)

    def _body(self, body: Sequence[ast.stmt]) -> ir.Block:
        """What a function does, after what it says of its variables: that holds for all of it, wherever it is written."""
        around, self._elsewhere = self._elsewhere, []
        lowered = self.block(body)
        elsewhere, self._elsewhere = self._elsewhere, around
        return (*elsewhere, *lowered)

    def _variables(self, node: ast.Global | ast.Nonlocal) -> None:
        self._elsewhere.append(ir.Elsewhere(self.span(node), tuple(node.names), isinstance(node, ast.Global)))

    def _class(self, node: ast.ClassDef) -> ir.Statement:
        row, column, *_ = self.span(node)
        outer, self._owner = self._owner, node.name
        body = self.block(node.body)
        self._owner = outer
        head = row, column, row, column + len("class ") + len(node.name)
        return ir.Class(head, node.name, self.values(node.bases), body, self.values(node.decorator_list))

    def _match(self, node: Any) -> ir.Statement:
        cases = tuple(self._case(each) for each in node.cases)
        return ir.Match(self.span(node), self.value(node.subject), cases)

    def _case(self, node: Any) -> ir.Case:
        pattern = node.pattern
        literal = self.value(pattern.value) if isinstance(pattern, ast.MatchValue) and not node.guard else None
        wild = isinstance(pattern, ast.MatchAs) and pattern.pattern is None and node.guard is None
        written = ast.unparse(pattern) + (f" if {ast.unparse(node.guard)}" if node.guard else "")
        return ir.Case(self.span(pattern), written, literal, wild, self.block(node.body))

    # functions

    def _code(self, node: Any, name: str, decorators: Sequence[ast.expr], lower: Callable[[], ir.Block]) -> ir.Code:
        args: ast.arguments = node.args
        positional = [*args.posonlyargs, *args.args]
        defaults = [*[None] * (len(positional) - len(args.defaults)), *args.defaults]
        parameters = ir.Parameters(
            tuple(map(self._parameter, positional, defaults)),
            tuple(map(self._parameter, args.kwonlyargs, args.kw_defaults)),
            args.vararg.arg if args.vararg else "",
            args.kwarg.arg if args.kwarg else "",
        )
        return ir.Code(self._signature(node, name), name, parameters, self.values(decorators), lower, self._owner)

    def _signature(self, node: Any, name: str) -> ir.Span:
        """From the beginning of a function to its last parameter."""
        args: ast.arguments = node.args
        row, column, *_ = self.span(node)
        parts = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg, *args.defaults, *args.kw_defaults]
        named = row, column + len(_WORDS[type(node)]) + len(name)
        return (row, column, *max([self.span(each)[2:] for each in parts if each], default=named))

    def _parameter(self, node: ast.arg, default: ast.expr | None) -> ir.Parameter:
        return ir.Parameter(node.arg, self._written(node.annotation) if node.annotation else "", self._maybe(default))

    # expressions

    def value(self, node: ast.expr) -> ir.Expression:
        lowering = _EXPRESSIONS.get(type(node))
        if lowering is None:
            return ir.Opaque(self.span(node))
        return lowering(self, node)

    def values(self, nodes: Sequence[ast.expr]) -> tuple[ir.Expression, ...]:
        return tuple(map(self.value, nodes))

    def _maybe(self, node: ast.expr | None) -> ir.Expression | None:
        return None if node is None else self.value(node)

    def _name(self, node: ast.Name) -> ir.Expression:
        return ir.Name(self.span(node), node.id)

    def _constant(self, node: ast.Constant) -> ir.Expression:
        return ir.Literal(self.span(node), node.value)

    def _attribute(self, node: ast.Attribute) -> ir.Expression:
        return ir.Attribute(self.span(node), self.value(node.value), node.attr)

    def _call(self, node: ast.Call) -> ir.Expression:
        arguments = [
            ir.Argument(self.span(each), self.value(each.value), "", "*")
            if isinstance(each, ast.Starred)
            else ir.Argument(self.span(each), self.value(each))
            for each in node.args
        ]
        arguments += [
            ir.Argument(self.span(each), self.value(each.value), each.arg or "", "" if each.arg else "**")
            for each in node.keywords
        ]
        return ir.Call(self.span(node), self.value(node.func), tuple(arguments))

    def _sequence(self, node: ast.Tuple | ast.List | ast.Set) -> ir.Expression:
        return ir.Sequence(self.span(node), self.values(node.elts))

    def _dict(self, node: ast.Dict) -> ir.Expression:
        return ir.Mapping(self.span(node), tuple(map(self._maybe, node.keys)), self.values(node.values))

    def _if_exp(self, node: ast.IfExp) -> ir.Expression:
        return ir.Conditional(self.span(node), self.value(node.test), self.value(node.body), self.value(node.orelse))

    def _bool(self, node: ast.BoolOp) -> ir.Expression:
        word = "and" if isinstance(node.op, ast.And) else "or"
        first, *others = node.values
        found = self.value(first)
        for each in others:
            span = self.span(node) if each is others[-1] else self._closed(self._to(node, each))
            found = ir.Logical(span, word, found, self.value(each))
        return found

    def _unary(self, node: ast.UnaryOp) -> ir.Expression:
        operand = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return ir.Not(self.span(node), operand)
        return ir.Unary(self.span(node), _UNARY[type(node.op)], operand)

    def _compare(self, node: ast.Compare) -> ir.Expression:
        operators = tuple(_COMPARED[type(each)] for each in node.ops)
        return ir.Compare(self.span(node), self.value(node.left), operators, self.values(node.comparators))

    def _binary(self, node: ast.BinOp) -> ir.Expression:
        return ir.Binary(self.span(node), _BINARY[type(node.op)], self.value(node.left), self.value(node.right))

    def _subscript(self, node: ast.Subscript) -> ir.Expression:
        sliced = isinstance(node.slice, (ast.Slice, ast.Tuple))
        return ir.Subscript(self.span(node), self.value(node.value), None if sliced else self.value(node.slice))

    def _lambda(self, node: ast.Lambda) -> ir.Expression:
        def body() -> ir.Block:
            return (ir.Return(self.span(node.body), self.value(node.body)),)

        return ir.Lambda(self.span(node), self._code(node, "lambda", (), body))

    def _comprehension(self, node: Any) -> ir.Expression:
        clauses = tuple(
            ir.Clause(self._to(each.target, each.iter), self.value(each.target), self.value(each.iter), self.values(each.ifs))
            for each in node.generators
        )
        if isinstance(node, ast.DictComp):
            return ir.Comprehension(self.span(node), self.value(node.value), clauses, self.value(node.key))
        return ir.Comprehension(self.span(node), self.value(node.elt), clauses, once=isinstance(node, ast.GeneratorExp))

    def _walrus(self, node: ast.NamedExpr) -> ir.Expression:
        return ir.Walrus(self.span(node), node.target.id, self.value(node.value))

    def _awaited(self, node: ast.Await) -> ir.Expression:
        return self.value(node.value)

    def _starred(self, node: ast.Starred) -> ir.Expression:
        return ir.Starred(self.span(node), self.value(node.value))

    def _yield(self, node: ast.Yield | ast.YieldFrom) -> ir.Expression:
        return ir.Yield(self.span(node), self._maybe(node.value))

    def _text(self, node: ast.JoinedStr) -> ir.Expression:
        """An f-string; one in which nothing is put is a string as any."""
        put = tuple(self.value(each.value) for each in node.values if isinstance(each, ast.FormattedValue))
        said = "".join(str(each.value) for each in node.values if isinstance(each, ast.Constant))
        return ir.Text(self.span(node), put) if put else ir.Literal(self.span(node), said)


_STATEMENTS: dict[type, Callable[[_Lowering, Any], ir.Statement | None]] = {
    ast.Expr: _Lowering._expr,
    ast.Assert: _Lowering._assert,
    ast.Assign: _Lowering._assign,
    ast.AnnAssign: _Lowering._annotate,
    ast.AugAssign: _Lowering._augment,
    ast.Return: _Lowering._return,
    ast.Raise: _Lowering._raise,
    ast.Break: _Lowering._jump,
    ast.Continue: _Lowering._jump,
    ast.Import: _Lowering._import,
    ast.ImportFrom: _Lowering._import_from,
    ast.Delete: _Lowering._delete,
    ast.Global: _Lowering._variables,
    ast.Nonlocal: _Lowering._variables,
    ast.If: _Lowering._if,
    ast.For: _Lowering._for,
    ast.AsyncFor: _Lowering._for,
    ast.While: _Lowering._while,
    ast.With: _Lowering._with,
    ast.AsyncWith: _Lowering._with,
    ast.Try: _Lowering._try,
    ast.FunctionDef: _Lowering._define,
    ast.AsyncFunctionDef: _Lowering._define,
    ast.ClassDef: _Lowering._class,
    ast.Match: _Lowering._match,
}
if hasattr(ast, "TryStar"):  # since Python 3.11
    _STATEMENTS[ast.TryStar] = _Lowering._try
_EXPRESSIONS: dict[type, Callable[[_Lowering, Any], ir.Expression]] = {
    ast.Name: _Lowering._name,
    ast.Constant: _Lowering._constant,
    ast.Attribute: _Lowering._attribute,
    ast.Call: _Lowering._call,
    ast.Tuple: _Lowering._sequence,
    ast.List: _Lowering._sequence,
    ast.Set: _Lowering._sequence,
    ast.Dict: _Lowering._dict,
    ast.IfExp: _Lowering._if_exp,
    ast.BoolOp: _Lowering._bool,
    ast.UnaryOp: _Lowering._unary,
    ast.Compare: _Lowering._compare,
    ast.BinOp: _Lowering._binary,
    ast.Subscript: _Lowering._subscript,
    ast.Lambda: _Lowering._lambda,
    ast.ListComp: _Lowering._comprehension,
    ast.SetComp: _Lowering._comprehension,
    ast.GeneratorExp: _Lowering._comprehension,
    ast.DictComp: _Lowering._comprehension,
    ast.NamedExpr: _Lowering._walrus,
    ast.Await: _Lowering._awaited,
    ast.Starred: _Lowering._starred,
    ast.Yield: _Lowering._yield,
    ast.YieldFrom: _Lowering._yield,
    ast.JoinedStr: _Lowering._text,
}
if hasattr(ast, "TemplateStr"):  # since Python 3.14
    _EXPRESSIONS[ast.TemplateStr] = _Lowering._text

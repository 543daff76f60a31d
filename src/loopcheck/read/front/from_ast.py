"""Lowering from Python's own syntax tree, which is ten times cheaper than one that keeps every space.

What cannot be told from a piece of code, and does not matter, is lowered to `Opaque`.
"""

from __future__ import annotations

import ast
import io
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from loopcheck.read.front import ir

DEEPEST = 300
"""Levels of a syntax tree. Deeper ones end Python's own recursion, and libcst with a segmentation fault."""

_BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.MatMult: "@",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
_COMPARED = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not",
    ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}


class TooDeep(Exception):
    """Code is nested more deeply than can be read; row: where."""

    def __init__(self, row: int) -> None:
        super().__init__(row)
        self.row = row


def lower(text: str) -> ir.Block:
    """The code of a module. Raises SyntaxError, and TooDeep where it is nested too deeply."""
    try:
        return Lowering(text).block(ast.parse(text).body)
    except (RecursionError, MemoryError):
        raise TooDeep(1) from None


class Lowering:
    """Lowers the nodes of one text."""

    def __init__(self, text: str) -> None:
        self._lines = io.StringIO(text, newline=None).readlines()
        self._ascii = text.isascii()
        self._depth = 0
        self._owner = ""

    def span(self, node: Any) -> ir.Span:
        """Where a node stands. Python counts columns in bytes."""
        if self._ascii:
            return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
        return (
            node.lineno,
            self._column(node.lineno, node.col_offset),
            node.end_lineno,
            self._column(node.end_lineno, node.end_col_offset),
        )

    def _column(self, row: int, offset: int) -> int:
        line = self._lines[row - 1]
        return offset if line.isascii() else len(line.encode()[:offset].decode(errors="replace"))

    def _head(self, start: ast.AST, last: ast.AST | None) -> ir.Span:
        """From the beginning of a node to the end of another one."""
        first, end = self.span(start), self.span(last or start)
        return (*first[:2], *end[2:]) if last is not None else first

    def _written(self, node: ast.expr) -> str:
        """What stands at a node."""
        row, column, last, end = self.span(node)
        if row == last:
            return self._lines[row - 1][column:end]
        return self._lines[row - 1][column:] + "".join(self._lines[row : last - 1]) + self._lines[last - 1][:end]

    # statements

    def block(self, body: Sequence[ast.stmt]) -> ir.Block:
        self._depth += 1
        if self._depth > DEEPEST:
            raise TooDeep(body[0].lineno if body else 1)
        found = tuple(lowered for each in body if (lowered := self.statement(each)) is not None)
        self._depth -= 1
        return found

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
        return ir.If(self._head(node, node.test), self.value(node.test), self.block(node.body), self.block(node.orelse))

    def _for(self, node: ast.For | ast.AsyncFor) -> ir.Statement:
        head = self._head(node, node.iter)
        return ir.For(head, self.value(node.target), self.value(node.iter), self.block(node.body), self.block(node.orelse))

    def _while(self, node: ast.While) -> ir.Statement:
        return ir.While(self._head(node, node.test), self.value(node.test), self.block(node.body), self.block(node.orelse))

    def _with(self, node: ast.With | ast.AsyncWith) -> ir.Statement:
        inner = self.block(node.body)
        for item in reversed(node.items):
            with_ = ir.With(self._head(node, node.items[-1].context_expr), self.value(item.context_expr), None, inner)
            with_.target = self._maybe(item.optional_vars)
            inner = (with_,)
        return inner[0]

    def _try(self, node: Any) -> ir.Statement:
        handlers = tuple(ir.Handler(self._except(each), self.block(each.body)) for each in node.handlers)
        return ir.Try(self.span(node), self.block(node.body), handlers, self.block(node.orelse), self.block(node.finalbody))

    def _except(self, node: ast.ExceptHandler) -> ir.Span:
        row, column, *_ = self.span(node)
        return self._head(node, node.type) if node.type else (row, column, row, column + len("except"))

    def _define(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ir.Statement:
        code = self._code(node, node.name, node.args, node.decorator_list, partial(self._body, node.body))
        return ir.Define(code.span, code)

    def _class(self, node: ast.ClassDef) -> ir.Statement:
        row, column, *_ = self.span(node)
        outer, self._owner = self._owner, node.name
        body = self.block(node.body)
        self._owner = outer
        bases = self.values([*node.bases, *(each.value for each in node.keywords if each.arg != "metaclass")])
        head = row, column, row, column + len("class ") + len(node.name)
        return ir.Class(head, node.name, bases, body, self.values(node.decorator_list))

    def _match(self, node: Any) -> ir.Statement:
        cases = tuple(self._case(each) for each in node.cases)
        return ir.Match(self.span(node), self.value(node.subject), cases)

    def _case(self, node: Any) -> ir.Case:
        pattern = node.pattern
        literal = self.value(pattern.value) if isinstance(pattern, ast.MatchValue) and not node.guard else None
        wild = isinstance(pattern, ast.MatchAs) and pattern.pattern is None and node.guard is None
        return ir.Case(self.span(pattern), ast.unparse(pattern), literal, wild, self.block(node.body))

    # functions

    def _body(self, body: Sequence[ast.stmt]) -> ir.Block:
        """What a function does, asked for when it is read: as deep as the module, and in no class."""
        before = self._depth, self._owner
        self._depth, self._owner = 0, ""
        try:
            return self.block(body)
        finally:
            self._depth, self._owner = before

    def _code(
        self, node: Any, name: str, args: ast.arguments, decorators: Sequence[ast.expr], lower: Callable[[], ir.Block]
    ) -> ir.Code:
        row, column, *_ = self.span(node)
        parts = [each for each in (*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg) if each]
        parts += [each for each in (*args.defaults, *args.kw_defaults) if each]  # type: ignore[misc]
        ends = [self.span(each)[2:] for each in parts]
        end = max(ends, default=(row, column + len(name) + (4 if isinstance(node, ast.FunctionDef) else 10)))
        positional = [*args.posonlyargs, *args.args]
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(args.defaults))
        parameters = ir.Parameters(
            tuple(map(self._parameter, positional, [*defaults, *args.defaults])),
            tuple(map(self._parameter, args.kwonlyargs, args.kw_defaults)),
            args.vararg.arg if args.vararg else "",
            args.kwarg.arg if args.kwarg else "",
        )
        return ir.Code((row, column, *end), name, parameters, self.values(decorators), lower, self._owner)

    def _parameter(self, node: ast.arg, default: ast.expr | None) -> ir.Parameter:
        return ir.Parameter(node.arg, self._written(node.annotation) if node.annotation else "", self._maybe(default))

    # expressions

    def value(self, node: ast.expr) -> ir.Expression:
        lowering = _EXPRESSIONS.get(type(node))
        if lowering is None:
            return ir.Opaque(self.span(node))
        self._depth += 1
        if self._depth > DEEPEST:
            raise TooDeep(node.lineno)
        lowered: ir.Expression = lowering(self, node)
        self._depth -= 1
        return lowered

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
        found = self.value(node.values[0])
        for each in node.values[1:]:
            found = ir.Logical(self._head(node, each), word, found, self.value(each))
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

        return ir.Lambda(self.span(node), self._code(node, "lambda", node.args, (), body))

    def _comprehension(self, node: Any) -> ir.Expression:
        clauses = tuple(
            ir.Clause(self._head(each.target, each.iter), self.value(each.target), self.value(each.iter), self.values(each.ifs))
            for each in node.generators
        )
        if isinstance(node, ast.DictComp):
            return ir.Comprehension(self.span(node), self.value(node.value), clauses, self.value(node.key))
        return ir.Comprehension(self.span(node), self.value(node.elt), clauses)

    def _walrus(self, node: ast.NamedExpr) -> ir.Expression:
        return ir.Walrus(self.span(node), node.target.id, self.value(node.value))

    def _awaited(self, node: ast.Await) -> ir.Expression:
        return self.value(node.value)

    def _starred(self, node: ast.Starred) -> ir.Expression:
        return ir.Starred(self.span(node), self.value(node.value))

    def _yield(self, node: ast.Yield | ast.YieldFrom) -> ir.Expression:
        return ir.Yield(self.span(node), self._maybe(node.value))

    def _text(self, node: ast.JoinedStr) -> ir.Expression:
        return ir.Text(
            self.span(node), tuple(self.value(each.value) for each in node.values if isinstance(each, ast.FormattedValue))
        )


_STATEMENTS: dict[type, Callable[[Lowering, Any], ir.Statement | None]] = {
    ast.Expr: Lowering._expr,
    ast.Assert: Lowering._assert,
    ast.Assign: Lowering._assign,
    ast.AnnAssign: Lowering._annotate,
    ast.AugAssign: Lowering._augment,
    ast.Return: Lowering._return,
    ast.Raise: Lowering._raise,
    ast.Break: Lowering._jump,
    ast.Continue: Lowering._jump,
    ast.Import: Lowering._import,
    ast.ImportFrom: Lowering._import_from,
    ast.Delete: Lowering._delete,
    ast.If: Lowering._if,
    ast.For: Lowering._for,
    ast.AsyncFor: Lowering._for,
    ast.While: Lowering._while,
    ast.With: Lowering._with,
    ast.AsyncWith: Lowering._with,
    ast.Try: Lowering._try,
    ast.FunctionDef: Lowering._define,
    ast.AsyncFunctionDef: Lowering._define,
    ast.ClassDef: Lowering._class,
    ast.Match: Lowering._match,
}
if hasattr(ast, "TryStar"):
    _STATEMENTS[ast.TryStar] = Lowering._try
_EXPRESSIONS: dict[type, Callable[[Lowering, Any], ir.Expression]] = {
    ast.Name: Lowering._name,
    ast.Constant: Lowering._constant,
    ast.Attribute: Lowering._attribute,
    ast.Call: Lowering._call,
    ast.Tuple: Lowering._sequence,
    ast.List: Lowering._sequence,
    ast.Set: Lowering._sequence,
    ast.Dict: Lowering._dict,
    ast.IfExp: Lowering._if_exp,
    ast.BoolOp: Lowering._bool,
    ast.UnaryOp: Lowering._unary,
    ast.Compare: Lowering._compare,
    ast.BinOp: Lowering._binary,
    ast.Subscript: Lowering._subscript,
    ast.Lambda: Lowering._lambda,
    ast.ListComp: Lowering._comprehension,
    ast.SetComp: Lowering._comprehension,
    ast.GeneratorExp: Lowering._comprehension,
    ast.DictComp: Lowering._comprehension,
    ast.NamedExpr: Lowering._walrus,
    ast.Await: Lowering._awaited,
    ast.Starred: Lowering._starred,
    ast.Yield: Lowering._yield,
    ast.YieldFrom: Lowering._yield,
    ast.JoinedStr: Lowering._text,
}

"""Python's own tree of code that the running Python refuses: made from libcst's, which knows newer syntax.

It holds what lowering and the index look at, at the places that Python gives. What types alone are made of is left out.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, zip_longest
from types import SimpleNamespace
from typing import Any, TypeVar

import libcst as cst

from loopcheck.read.front import ir
from loopcheck.read.text import guard, lines_of

Made = TypeVar("Made", bound=ast.AST)
_BINARY: dict[str, type[ast.operator]] = {
    "Add": ast.Add, "Subtract": ast.Sub, "Multiply": ast.Mult, "Divide": ast.Div, "FloorDivide": ast.FloorDiv, "Modulo": ast.Mod,
    "Power": ast.Pow, "MatrixMultiply": ast.MatMult, "BitAnd": ast.BitAnd, "BitOr": ast.BitOr, "BitXor": ast.BitXor,
    "LeftShift": ast.LShift, "RightShift": ast.RShift,
}  # fmt: skip
_COMPARED: dict[str, type[ast.cmpop]] = {
    "Equal": ast.Eq, "NotEqual": ast.NotEq, "LessThan": ast.Lt, "LessThanEqual": ast.LtE, "GreaterThan": ast.Gt,
    "GreaterThanEqual": ast.GtE, "Is": ast.Is, "IsNot": ast.IsNot, "In": ast.In, "NotIn": ast.NotIn,
}  # fmt: skip
_UNARY: dict[str, type[ast.unaryop]] = {"Minus": ast.USub, "Plus": ast.UAdd, "BitInvert": ast.Invert, "Not": ast.Not}
_SINGLETONS = {"None": None, "True": True, "False": False}
_SINCE = {
    "TryStar": (3, 11), "TypeParameters": (3, 12), "TypeAlias": (3, 12), "TemplatedString": (3, 14), "LazyImport": (3, 15),
    "LazyImportFrom": (3, 15), "StarredDictComp": (3, 15),
}  # fmt: skip
"""The Python that first read a kind of node at all."""


def newer(text: str) -> ast.Module | None:
    """The tree of a text that the running Python refuses for its newer syntax; None where it is refused for another reason.

    Raises SourceError where libcst cannot be handed the text.
    """
    guard(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape in a string is the author's business
        try:
            module = cst.parse_module(text)
            return converted(module, text) if any(map(_is_newer, nodes(module))) else None
        except (cst.ParserSyntaxError, SyntaxError):
            return None


def converted(module: cst.Module, text: str) -> ast.Module:
    """The tree that Python makes of a text, from libcst's. Raises SyntaxError for a literal that means nothing."""
    return ast.Module(_Conversion(module, text).block(module.body), [])


def nodes(module: cst.Module) -> Iterable[cst.CSTNode]:
    """Every node of a tree."""
    work: list[cst.CSTNode] = [module]
    while work:
        node = work.pop()
        yield node
        work += node.children


def _is_newer(node: cst.CSTNode) -> bool:
    """Whether it is of a kind that the running Python does not read, or an f-string with what it does not read in one."""
    if isinstance(node, cst.FormattedString) and sys.version_info < (3, 12):
        return _refused(cst.Module([]).code_for_node(node))
    return sys.version_info < _since(node)


def _since(node: cst.CSTNode) -> tuple[int, ...]:
    """The Python that first read a node."""
    match node:
        case cst.Index(star="*") | cst.Annotation(annotation=cst.StarredElement()):
            return 3, 11
        case cst.TypeParam(default=cst.BaseExpression()):
            return 3, 13
        case _:
            return _SINCE.get(type(node).__name__, (3,))


def _refused(code: str) -> bool:
    try:
        ast.parse(code, mode="eval")
    except SyntaxError:
        return True
    return False


def places(module: cst.Module, text: str) -> dict[cst.CSTNode, ir.Span]:
    """Where each node stands, the parentheses around it left out: from one pass of code generation."""
    from libcst.metadata.position_provider import PositionProvidingCodegenState

    computed: dict[cst.CSTNode, Any] = {}
    state = PositionProvidingCodegenState(
        default_indent=module.default_indent,
        default_newline=module.default_newline,
        provider=SimpleNamespace(_computed=computed),  # type: ignore[arg-type]
    )
    module._codegen(state)
    found = {node: (at.start.line, at.start.column, at.end.line, at.end.column) for node, at in computed.items()}
    return _with_feeds(found, "".join(state.tokens), text) if "\f" in text else found


def _with_feeds(found: Mapping[cst.CSTNode, ir.Span], code: str, text: str) -> dict[cst.CSTNode, ir.Span]:
    """libcst forgets a form feed at the beginning of a row, or puts one there; Python counts what is written."""
    more = [0, *(len(row) - len(other) for row, other in zip_longest(lines_of(text), lines_of(code), fillvalue="")), 0]
    return {node: (row, column + more[row], last, end + more[last]) for node, (row, column, last, end) in found.items()}


def as_python(found: Mapping[cst.CSTNode, ir.Span]) -> dict[cst.CSTNode, ir.Span]:
    """Where Python says that the nodes stand: a tuple and a generator with their parentheses."""
    return {**found, **dict(_parenthesized(found))}


def _parenthesized(found: Mapping[cst.CSTNode, ir.Span]) -> Iterator[tuple[cst.CSTNode, ir.Span]]:
    node: Any
    for node in found:
        kind = type(node)
        if kind in (cst.Tuple, cst.GeneratorExp, cst.MatchTuple) and node.lpar:
            yield node, (*found[node.lpar[-1]][:2], *found[node.rpar[0]][2:])
        elif kind is cst.Call and node.args and isinstance(node.args[0].value, cst.GeneratorExp):
            generator = node.args[0].value
            if not generator.lpar:  # it shares the parentheses of the call
                row, column, *_ = found[node.whitespace_before_args]
                yield generator, (row, column - 1, *found[node][2:])


class _Conversion:
    """Converts the nodes of one text."""

    def __init__(self, module: cst.Module, text: str) -> None:
        self._places = as_python(places(module, text))
        self._lines = io.StringIO(text, newline=None).readlines()
        self._offsets = cache(self._offsets_of)

    def _offsets_of(self, row: int) -> Sequence[int]:
        """The bytes before each column of a row, in which Python counts."""
        return [0, *accumulate(len(each.encode()) for each in self._lines[row - 1])] if row <= len(self._lines) else [0]

    def made(self, kind: type[Made], at: cst.CSTNode | ir.Span, **fields: object) -> Made:
        """A node of Python's tree where another one stands."""
        row, column, last, end = at if isinstance(at, tuple) else self._places[at]
        place = {"lineno": row, "col_offset": self._offsets(row)[column], "end_lineno": last}
        return kind(**fields, **place, end_col_offset=self._offsets(last)[end])  # type: ignore[call-arg]

    def convert(self, node: cst.CSTNode) -> Any:
        """What a node comes to; of one that says nothing to lowering or the index, nothing."""
        method = getattr(self, _method(type(node)), None)
        return method(node) if method else self.made(ast.Pass, node)

    def maybe(self, node: cst.CSTNode | None) -> Any:
        return None if node is None else self.convert(node)

    def each(self, found: Iterable[cst.CSTNode]) -> list[Any]:
        return [self.convert(node) for node in found]

    # statements

    def block(self, body: Iterable[cst.CSTNode]) -> list[ast.stmt]:
        lines = (each.body if isinstance(each, cst.SimpleStatementLine) else [each] for each in body)
        return [self.convert(each) for line in lines for each in line]

    def _else(self, node: cst.Else | cst.Finally | cst.If | None) -> list[ast.stmt]:
        if node is None:
            return []
        return [self.convert(node)] if isinstance(node, cst.If) else self.block(node.body.body)

    def _expr(self, node: cst.Expr) -> ast.stmt:
        return self.made(ast.Expr, node, value=self.convert(node.value))

    def _assert(self, node: cst.Assert) -> ast.stmt:
        return self.made(ast.Assert, node, test=self.convert(node.test), msg=self.maybe(node.msg))

    def _assign(self, node: cst.Assign) -> ast.stmt:
        return self.made(
            ast.Assign, node, targets=self.each(each.target for each in node.targets), value=self.convert(node.value)
        )

    def _ann_assign(self, node: cst.AnnAssign) -> ast.stmt:
        target, annotation = self.convert(node.target), self.convert(node.annotation.annotation)
        return self.made(ast.AnnAssign, node, target=target, annotation=annotation, value=self.maybe(node.value), simple=1)

    def _aug_assign(self, node: cst.AugAssign) -> ast.stmt:
        operator = _BINARY[type(node.operator).__name__.removesuffix("Assign")]()
        return self.made(ast.AugAssign, node, target=self.convert(node.target), op=operator, value=self.convert(node.value))

    def _return(self, node: cst.Return) -> ast.stmt:
        return self.made(ast.Return, node, value=self.maybe(node.value))

    def _raise(self, node: cst.Raise) -> ast.stmt:
        return self.made(ast.Raise, node, exc=self.maybe(node.exc), cause=self.maybe(node.cause and node.cause.item))

    def _break(self, node: cst.Break) -> ast.stmt:
        return self.made(ast.Break, node)

    def _continue(self, node: cst.Continue) -> ast.stmt:
        return self.made(ast.Continue, node)

    def _import(self, node: Any) -> ast.stmt:
        return self.made(ast.Import, node, names=self.each(node.names))

    def _import_from(self, node: Any) -> ast.stmt:
        names = [ast.alias("*")] if isinstance(node.names, cst.ImportStar) else self.each(node.names)
        module = _dotted(node.module) if node.module else None
        return self.made(ast.ImportFrom, node, module=module, names=names, level=len(node.relative))

    _lazy_import, _lazy_import_from = _import, _import_from

    def _import_alias(self, node: cst.ImportAlias) -> ast.alias:
        asname = node.asname.name if node.asname else None
        return ast.alias(_dotted(node.name), asname.value if isinstance(asname, cst.Name) else None)

    def _global(self, node: cst.Global | cst.Nonlocal) -> ast.stmt:
        kind: type[ast.stmt] = getattr(ast, type(node).__name__)
        return self.made(kind, node, names=[each.name.value for each in node.names])

    _nonlocal = _global

    def _del(self, node: cst.Del) -> ast.stmt:
        bare = isinstance(node.target, cst.Tuple) and not node.target.lpar
        targets = [each.value for each in node.target.elements] if bare else [node.target]  # type: ignore[attr-defined]
        return self.made(ast.Delete, node, targets=self.each(targets))

    def _if(self, node: cst.If) -> ast.stmt:
        test, body = self.convert(node.test), self.block(node.body.body)
        return self.made(ast.If, node, test=test, body=body, orelse=self._else(node.orelse))

    def _while(self, node: cst.While) -> ast.stmt:
        test, body = self.convert(node.test), self.block(node.body.body)
        return self.made(ast.While, node, test=test, body=body, orelse=self._else(node.orelse))

    def _for(self, node: cst.For) -> ast.stmt:
        kind = ast.AsyncFor if node.asynchronous else ast.For
        target, iterable, body = self.convert(node.target), self.convert(node.iter), self.block(node.body.body)
        return self.made(kind, node, target=target, iter=iterable, body=body, orelse=self._else(node.orelse))

    def _with(self, node: cst.With) -> ast.stmt:
        kind = ast.AsyncWith if node.asynchronous else ast.With
        return self.made(kind, node, items=self.each(node.items), body=self.block(node.body.body))

    def _with_item(self, node: cst.WithItem) -> ast.withitem:
        return ast.withitem(self.convert(node.item), self.maybe(node.asname and node.asname.name))

    def _try(self, node: Any) -> ast.stmt:
        body, handlers = self.block(node.body.body), self.each(node.handlers)
        return self.made(
            ast.Try, node, body=body, handlers=handlers, orelse=self._else(node.orelse), finalbody=self._else(node.finalbody)
        )

    _try_star = _try

    def _except_handler(self, node: Any) -> ast.ExceptHandler:
        name = node.name.name.value if node.name else None
        body = self.block(node.body.body)
        return self.made(ast.ExceptHandler, node, type=self.maybe(node.type), name=name, body=body)

    _except_star_handler = _except_handler

    def _function_def(self, node: cst.FunctionDef) -> ast.stmt:
        return self.made(
            ast.AsyncFunctionDef if node.asynchronous else ast.FunctionDef,
            node,
            name=node.name.value,
            args=self.convert(node.params),
            body=self.block(node.body.body),
            decorator_list=self.each(each.decorator for each in node.decorators),
            returns=self.maybe(node.returns and node.returns.annotation),
        )

    def _class_def(self, node: cst.ClassDef) -> ast.stmt:
        arguments = self.each((*node.bases, *node.keywords))
        return self.made(
            ast.ClassDef,
            node,
            name=node.name.value,
            bases=[each for each in arguments if not isinstance(each, ast.keyword)],
            keywords=[each for each in arguments if isinstance(each, ast.keyword)],
            body=self.block(node.body.body),
            decorator_list=self.each(each.decorator for each in node.decorators),
        )

    # patterns

    def _match(self, node: cst.Match) -> ast.stmt:
        return self.made(ast.Match, node, subject=self.convert(node.subject), cases=self.each(node.cases))

    def _match_case(self, node: cst.MatchCase) -> ast.match_case:
        return ast.match_case(self.convert(node.pattern), self.maybe(node.guard), self.block(node.body.body))

    def _match_value(self, node: cst.MatchValue) -> ast.pattern:
        return self.made(ast.MatchValue, self._places[node.value], value=self.convert(node.value))

    def _match_singleton(self, node: cst.MatchSingleton) -> ast.pattern:
        return self.made(ast.MatchSingleton, node, value=_SINGLETONS[node.value.value])

    def _match_list(self, node: cst.MatchList | cst.MatchTuple) -> ast.pattern:
        parts = (each.value if isinstance(each, cst.MatchSequenceElement) else each for each in node.patterns)
        return self.made(ast.MatchSequence, node, patterns=self.each(parts))

    _match_tuple = _match_list

    def _match_star(self, node: cst.MatchStar) -> ast.pattern:
        return self.made(ast.MatchStar, node, name=node.name and node.name.value)

    def _match_mapping(self, node: cst.MatchMapping) -> ast.pattern:
        keys, patterns = self.each(each.key for each in node.elements), self.each(each.pattern for each in node.elements)
        return self.made(ast.MatchMapping, node, keys=keys, patterns=patterns, rest=node.rest and node.rest.value)

    def _match_class(self, node: cst.MatchClass) -> ast.pattern:
        return self.made(
            ast.MatchClass,
            node,
            cls=self.convert(node.cls),
            patterns=self.each(each.value for each in node.patterns),
            kwd_attrs=[each.key.value for each in node.kwds],
            kwd_patterns=self.each(each.pattern for each in node.kwds),
        )

    def _match_as(self, node: cst.MatchAs) -> ast.pattern:
        return self.made(ast.MatchAs, node, pattern=self.maybe(node.pattern), name=node.name and node.name.value)

    def _match_or(self, node: cst.MatchOr) -> ast.pattern:
        return self.made(ast.MatchOr, node, patterns=self.each(each.pattern for each in node.patterns))

    # functions

    def _parameters(self, node: cst.Parameters) -> ast.arguments:
        positional = [*node.posonly_params, *node.params]
        return ast.arguments(
            posonlyargs=self.each(node.posonly_params),
            args=self.each(node.params),
            vararg=self.convert(node.star_arg) if isinstance(node.star_arg, cst.Param) else None,
            kwonlyargs=self.each(node.kwonly_params),
            kw_defaults=[self.maybe(each.default) for each in node.kwonly_params],
            kwarg=self.maybe(node.star_kwarg),
            defaults=self.each(each.default for each in positional if each.default),
        )

    def _param(self, node: cst.Param) -> ast.arg:
        at = (*self._places[node.name][:2], *self._places[node.annotation or node.name][2:])
        return self.made(ast.arg, at, arg=node.name.value, annotation=self.maybe(node.annotation and node.annotation.annotation))

    def _lambda(self, node: cst.Lambda) -> ast.expr:
        return self.made(ast.Lambda, node, args=self.convert(node.params), body=self.convert(node.body))

    # expressions

    def _name(self, node: cst.Name) -> ast.expr:
        if node.value in _SINGLETONS:
            return self.made(ast.Constant, node, value=_SINGLETONS[node.value])
        return self.made(ast.Name, node, id=node.value)

    def _ellipsis(self, node: cst.Ellipsis) -> ast.expr:
        return self.made(ast.Constant, node, value=...)

    def _integer(self, node: Any) -> ast.expr:
        return self.made(ast.Constant, node, value=ast.literal_eval(node.value))

    _float = _imaginary = _simple_string = _integer

    def _concatenated_string(self, node: cst.ConcatenatedString) -> ast.expr:
        left, right = self.convert(node.left), self.convert(node.right)
        if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
            if type(left.value) is not type(right.value):
                raise SyntaxError("cannot mix bytes and nonbytes literals")
            return self.made(ast.Constant, node, value=left.value + right.value)  # type: ignore[operator]
        values = [value for part in (left, right) for value in (part.values if isinstance(part, ast.JoinedStr) else [part])]
        return self.made(ast.JoinedStr, node, values=values)

    def _formatted_string(self, node: Any) -> ast.expr:
        """Its values, and the text between them."""
        return self.made(ast.JoinedStr, node, values=self._values(node, node.parts, "r" in node.start.lower()))

    _templated_string = _formatted_string

    def _values(self, node: Any, parts: Sequence[Any], raw: bool) -> list[Any]:
        return [self.convert(each) if hasattr(each, "expression") else self._between(node, each.value, raw) for each in parts]

    def _between(self, node: Any, text: str, raw: bool) -> ast.expr:
        """The text between two fields, as it is where braces are not doubled and nothing is escaped."""
        plain = text.replace("{{", "{").replace("}}", "}")
        told = plain if raw or "\\" not in plain else plain.encode("latin-1", "backslashreplace").decode("unicode_escape")
        return self.made(ast.Constant, node, value=told)

    def _formatted_string_expression(self, node: Any) -> ast.expr:
        """A field, as it is said to be shown."""
        spec = node.format_spec and self.made(ast.JoinedStr, node, values=self._values(node, node.format_spec, raw=True))
        conversion = ord(node.conversion) if node.conversion else -1
        value = self.convert(node.expression)
        return self.made(ast.FormattedValue, node, value=value, conversion=conversion, format_spec=spec or None)

    _templated_string_expression = _formatted_string_expression

    def _attribute(self, node: cst.Attribute) -> ast.expr:
        return self.made(ast.Attribute, node, value=self.convert(node.value), attr=node.attr.value)

    def _call(self, node: cst.Call) -> ast.expr:
        arguments = self.each(node.args)
        return self.made(
            ast.Call,
            node,
            func=self.convert(node.func),
            args=[each for each in arguments if not isinstance(each, ast.keyword)],
            keywords=[each for each in arguments if isinstance(each, ast.keyword)],
        )

    def _arg(self, node: cst.Arg) -> ast.expr | ast.keyword:
        value = self.convert(node.value)
        if node.keyword or node.star == "**":
            return self.made(ast.keyword, node, arg=node.keyword and node.keyword.value, value=value)
        return self.made(ast.Starred, node, value=value) if node.star else value

    def _tuple(self, node: Any) -> ast.expr:
        kind: type[ast.expr] = getattr(ast, type(node).__name__)
        return self.made(kind, node, elts=self.each(node.elements))

    _list = _set = _tuple

    def _element(self, node: cst.Element) -> Any:
        return self.convert(node.value)

    def _starred_element(self, node: cst.StarredElement) -> ast.expr:
        return self.made(ast.Starred, node, value=self.convert(node.value))

    def _dict(self, node: cst.Dict) -> ast.expr:
        keys = [self.maybe(getattr(each, "key", None)) for each in node.elements]
        return self.made(ast.Dict, node, keys=keys, values=self.each(each.value for each in node.elements))

    def _if_exp(self, node: cst.IfExp) -> ast.expr:
        test, body, orelse = self.each((node.test, node.body, node.orelse))
        return self.made(ast.IfExp, node, test=test, body=body, orelse=orelse)

    def _boolean_operation(self, node: cst.BooleanOperation) -> ast.expr:
        """`a and b and c` is one operation, unless it is written with parentheses."""
        values = [node.right]
        left = node.left
        while isinstance(left, cst.BooleanOperation) and not left.lpar and type(left.operator) is type(node.operator):
            values.append(left.right)
            left = left.left
        operator = ast.And() if isinstance(node.operator, cst.And) else ast.Or()
        return self.made(ast.BoolOp, node, op=operator, values=self.each([left, *reversed(values)]))

    def _unary_operation(self, node: cst.UnaryOperation) -> ast.expr:
        operator = _UNARY[type(node.operator).__name__]()
        return self.made(ast.UnaryOp, node, op=operator, operand=self.convert(node.expression))

    def _comparison(self, node: cst.Comparison) -> ast.expr:
        operators = [_COMPARED[type(each.operator).__name__]() for each in node.comparisons]
        others = self.each(each.comparator for each in node.comparisons)
        return self.made(ast.Compare, node, left=self.convert(node.left), ops=operators, comparators=others)

    def _binary_operation(self, node: cst.BinaryOperation) -> ast.expr:
        operator = _BINARY[type(node.operator).__name__]()
        return self.made(ast.BinOp, node, left=self.convert(node.left), op=operator, right=self.convert(node.right))

    def _subscript(self, node: cst.Subscript) -> ast.expr:
        parts = self.each(node.slice)
        alone = len(parts) == 1 and not isinstance(node.slice[0].comma, cst.Comma) and not isinstance(parts[0], ast.Starred)
        at = (*self._places[node.slice[0]][:2], *self._places[node.slice[-1]][2:])
        index = parts[0] if alone else self.made(ast.Tuple, at, elts=parts)
        return self.made(ast.Subscript, node, value=self.convert(node.value), slice=index)

    def _subscript_element(self, node: cst.SubscriptElement) -> ast.expr:
        inner = node.slice
        if isinstance(inner, cst.Slice):
            lower, upper, step = map(self.maybe, (inner.lower, inner.upper, inner.step))
            return self.made(ast.Slice, node, lower=lower, upper=upper, step=step)
        assert isinstance(inner, cst.Index)
        value = self.convert(inner.value)
        return self.made(ast.Starred, node, value=value) if inner.star else value

    def _list_comp(self, node: Any) -> ast.expr:
        kind: type[ast.expr] = getattr(ast, type(node).__name__)
        return self.made(kind, node, elt=self.convert(node.elt), generators=self._generators(node.for_in))

    _set_comp = _generator_exp = _list_comp

    def _dict_comp(self, node: cst.DictComp) -> ast.expr:
        key, value = self.convert(node.key), self.convert(node.value)
        return self.made(ast.DictComp, node, key=key, value=value, generators=self._generators(node.for_in))

    def _generators(self, node: cst.CompFor | None) -> list[ast.comprehension]:
        found = []
        while node:
            target, iterable = self.convert(node.target), self.convert(node.iter)
            tests = self.each(each.test for each in node.ifs)
            found.append(ast.comprehension(target, iterable, tests, int(node.asynchronous is not None)))
            node = node.inner_for_in
        return found

    def _named_expr(self, node: cst.NamedExpr) -> ast.expr:
        return self.made(ast.NamedExpr, node, target=self.convert(node.target), value=self.convert(node.value))

    def _await(self, node: cst.Await) -> ast.expr:
        return self.made(ast.Await, node, value=self.convert(node.expression))

    def _yield(self, node: cst.Yield) -> ast.expr:
        if isinstance(node.value, cst.From):
            return self.made(ast.YieldFrom, node, value=self.convert(node.value.item))
        return self.made(ast.Yield, node, value=self.maybe(node.value))


def _dotted(node: Any) -> str:
    return f"{_dotted(node.value)}.{node.attr.value}" if isinstance(node, cst.Attribute) else node.value


@cache
def _method(kind: type) -> str:
    """What converts a kind of node: `_function_def` for `FunctionDef`."""
    return re.sub("(?=[A-Z])", "_", kind.__name__).lower()

"""The options of a program's command line: which ones its parser has, and which it would be given twice."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from loopcheck.read.stops.running import FUNCTION

_PARSERS = {"ArgumentParser"}
_GROUPS = {"add_argument_group", "add_mutually_exclusive_group"}
_PARSES = {"parse_args", "parse_known_args"}
_HARMLESS = {"print_help", "print_usage", "format_help", "error", "exit", "description", "epilog", "usage", "prog"}
_GIVES_MORE = {"parents", "conflict_handler", "argument_default"}
"""Parameters of a parser with which it has other options than it is told, or lets them be told again."""


@dataclass(eq=False)
class Parser:
    """A parser that one scope makes and fills. names: of its options, in what it returns; None where it may have others.

    twice: an option that it is given again on every run, with the call that does so, for which it raises an error.
    """

    names: set[str] | None = field(default_factory=set)
    twice: tuple[str, ast.Call] | None = None


class Scope:
    """A function or module: what its names are bound to, and the parsers that it makes."""

    def __init__(self, body: Sequence[ast.stmt]) -> None:
        self.body = body
        self._own = [*_own(body)]
        self._stored: dict[str, list[ast.Name]] = {}
        self._values: dict[str, list[tuple[ast.expr, ast.Name]]] = {}
        self._parsers: dict[str, Parser | None] = {}
        for each in self._own:
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                self._stored.setdefault(each.id, []).append(each)
            elif isinstance(each, (ast.Assign, ast.AnnAssign)) and each.value:
                for target in each.targets if isinstance(each, ast.Assign) else [each.target]:
                    first = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
                    if isinstance(first, ast.Name):
                        self._values.setdefault(first.id, []).append((each.value, first))

    def value(self, name: str) -> ast.expr | None:
        """The value of a name that is bound once; of `args, rest = parser.parse_known_args()`, that of the first."""
        stored = self._stored.get(name, [])
        return next((value for value, target in self._values.get(name, []) if stored == [target]), None)

    def returned(self) -> ast.expr | None:
        """What a function returns: the value, where it stands under a name."""
        found = [each.value for each in self._own if isinstance(each, ast.Return)]
        value = found[0] if len(found) == 1 else None
        return self.value(value.id) if isinstance(value, ast.Name) else value

    def parser(self, name: str) -> Parser | None:
        """What it makes of the parser that it has under a name; None where it makes none, or another one as well."""
        if name not in self._parsers:
            self._parsers[name] = self._made(name)
        return self._parsers[name]

    def _made(self, name: str) -> Parser | None:
        made = self.value(name)
        if not (isinstance(made, ast.Call) and _last(made.func) in _PARSERS):
            return None
        if any(each.arg is None or each.arg in _GIVES_MORE for each in made.keywords):
            return None
        groups = {name}
        for each in self._own:  # groups are made before they are filled
            match each:
                case ast.Assign(
                    targets=[ast.Name(id=group)], value=ast.Call(func=ast.Attribute(value=ast.Name(id=base), attr=attr))
                ):
                    groups |= {group} if base in groups and attr in _GROUPS else set()
                case _:
                    pass
        return self._filled(groups)

    def _filled(self, parsers: set[str]) -> Parser:
        """What it tells a parser, and the groups of it."""
        surely = {id(each.value) for each in self.body if isinstance(each, ast.Expr)}
        known, told = set[str](), set[str]()
        twice: tuple[str, ast.Call] | None = None
        for call in self._uses(parsers):
            names = _told(call) if call else None
            if call is None or names is None:
                return Parser(None)
            known |= _dest(call, names)
            flags = {each for each in names if each.startswith("-") and id(call) in surely}
            twice = twice or next(((each, call) for each in sorted(told & flags)), None)
            told |= flags
        return Parser(known, twice)

    def _uses(self, parsers: set[str]) -> Iterator[ast.Call | None]:
        """The calls that tell a parser an option or what it comes to; None of what may do so out of sight."""
        calls = [each for each in self._own if isinstance(each, ast.Call)]
        everything = [*ast.walk(ast.Module([*self.body], []))]
        known = {id(each.func.value) for each in calls if isinstance(each.func, ast.Attribute)}
        known |= {id(each.value) for each in everything if isinstance(each, ast.Attribute) and each.attr in _PARSES}
        for each in everything:
            if isinstance(each, ast.Name) and each.id in parsers and isinstance(each.ctx, ast.Load) and id(each) not in known:
                yield None
        for call in calls:
            if isinstance(call.func, ast.Attribute) and _told_of(call.func.value) in parsers:
                if call.func.attr in ("add_argument", "set_defaults"):
                    yield call
                elif call.func.attr not in _GROUPS | _PARSES | _HARMLESS:
                    yield None


def parser_of(value: ast.expr) -> str:
    """The name of the parser of which a call takes the options; empty where it is none, or it is given where to put them."""
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), keywords=keywords, args=args) if attr in _PARSES:
            return name if len(args) < 2 and not any(each.arg in (None, "namespace") for each in keywords) else ""
        case _:
            return ""


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _told_of(node: ast.expr) -> str:
    """The parser, or the group that has a name, that is told something; of a group that is told at once, what it is one of."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in _GROUPS:
            return name
        case _:
            return _name(node)


def _last(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))


def _own(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """All that is written in a scope, in order, and not in one of those inside."""
    for each in body:
        yield each
        if not isinstance(each, (*FUNCTION, ast.ClassDef, ast.Lambda)):
            yield from _own([*ast.iter_child_nodes(each)])


def _told(call: ast.Call) -> list[str] | None:
    """What a call calls options; None where it is not written there."""
    if any(each.arg is None for each in call.keywords):
        return None
    if _last(call.func) == "set_defaults":
        return [each.arg for each in call.keywords if each.arg]
    names = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return names if names and len(names) == len(call.args) else None


def _dest(call: ast.Call, names: Sequence[str]) -> set[str]:
    """The attributes under which an option is found."""
    given = [each.value for each in call.keywords if each.arg == "dest"]
    if given:
        return {each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)}
    if _last(call.func) == "set_defaults":
        return set(names)
    long = [each for each in names if each.startswith("--")]
    return {(long or names)[0].lstrip("-").replace("-", "_")}

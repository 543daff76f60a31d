"""Why a run ends with an error before it comes to a place: what is found there happens to nobody."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from loopcheck.read.front.source import Entered, Site, Source
from loopcheck.read.stops.calls import refuses, runs_at_once
from loopcheck.read.stops.naming import Files, names_of
from loopcheck.read.stops.naming import forget as forget_names
from loopcheck.read.stops.options import Parser, Scope, parser_of
from loopcheck.read.stops.running import Ran, Run, Within, before, call_at, parts, ran
from loopcheck.read.stops.written import Written, full_name, inner_name
from loopcheck.read.vocabulary import packages

DEEPEST = 3
"""So many functions of the project, each called by the one before, are looked into for what ends the run in them."""
_ALWAYS_BOUND = frozenset({
    *dir(builtins), "__builtins__", "__class__", "__file__", "__path__", "WindowsError",
    "copyright", "credits", "exit", "license", "quit", "_", "display", "get_ipython", "profile",
    "basestring", "cmp", "execfile", "file", "long", "raw_input", "reduce", "reload", "unichr", "unicode", "xrange",
})  # fmt: skip
"""What is there without being bound: by a script's own start, in a shell, where messages are translated, under a profiler, and in
Python 2, too."""
MOST_MODULES = 60
"""So many modules are looked at for what they import in turn."""


def ends_before(sites: Iterable[Site], files: Files) -> str:
    """Why a run ends before it comes to all of these places, in a clause; empty where nothing tells.

    Where a name may have come from out of sight, nothing is said of it. Nor of one that nothing binds in what is no file, or in a
    notebook: who shows a piece of code leaves out what it is given, and cells are run in any order.
    """
    try:
        return _found(sites, _reader(files, files.noted))
    except RecursionError:  # of code that is nested deeply
        return ""


def _found(sites: Iterable[Site], reader: _Reader) -> str:
    ways: dict[Source, dict[tuple[int, ...], bool]] = {}
    for site in sites:
        for each in (*site.calls, site):
            if isinstance(each, (Entered, Site)) and each.source.path:
                ways.setdefault(each.source, {})[each.node.span] = isinstance(each, Entered)
    for source, places in ways.items():
        written = Written.of(source)
        for place, entered in places.items():
            call = call_at(written.tree, place) if entered else None
            for part in before(written.tree.body, place[0]):
                if told := reader.first_reason(written, part) if isinstance(part, Run) else reader.reason(written, part, True):
                    return told
            if call and (told := next(reader.reasons(written, [call], DEEPEST), "")):
                return told
    return ""


@lru_cache(maxsize=2)
def _reader(files: Files, noted: object) -> _Reader:
    """One for all findings of a file: what it asked of others, their verdicts depend on."""
    return _Reader(files)


def forget() -> None:
    """Let go of what was found out, and of every file that it was found out of."""
    _reader.cache_clear()
    forget_names()


class _Reader:
    """What of a project's files was looked at."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._names = names_of(files, files.noted)
        self._imported: set[str] = set()
        self._reasons: dict[tuple[ast.AST, bool], str] = {}
        self._firsts: dict[ast.AST, list[str]] = {}
        self._inside: dict[ast.AST, str] = {}
        self._scopes: dict[int, Scope] = {}

    def first_reason(self, written: Written, run: Run) -> str:
        """Why the run ends with one of the first statements of a block; kept for each of them: all that comes after asks."""
        firsts = self._firsts.setdefault(run.block[0], [""]) if run.many else [""]
        for each in run.block[len(firsts) - 1 : run.many]:
            firsts.append(firsts[-1] or self.reason(written, Ran(each, run.within), head=False))
        return firsts[run.many]

    def reason(self, written: Written, statement: Ran, head: bool) -> str:
        """Why the run ends with a statement, or with its head; found out once for all that comes after it."""
        key = statement.node, head
        if key not in self._reasons:
            self._reasons[key] = next(self.reasons(written, parts(statement, head)), "")
        return self._reasons[key]

    def reasons(self, written: Written, way: Iterable[Ran], deep: int = 0) -> Iterator[str]:
        """What ends the run on a way through a file. deep: so many functions lie between."""
        for each in way:
            match each.node:
                case ast.Name(ctx=ast.Load()) as read:
                    yield from self._not_bound(written, read, each.within)
                    yield from self._bound_nowhere(written, read, each.within)
                case ast.Attribute(ctx=ast.Load()) as read:
                    yield from self._no_option(written, read, each.within)
                    yield from self._no_attribute(written, read, each.within)
                case ast.Call() as call:
                    yield from self._refused(written, call, each.within, deep)
                    yield from self._given_twice(written, call, each.within)
                case ast.Import() | ast.ImportFrom() as node:
                    yield from self._not_found(written, node)
                case ast.If() as test:
                    yield from self._either_way(written, test, each.within, deep)
                case _:
                    pass

    def _either_way(self, written: Written, test: ast.If, within: Within, deep: int) -> Iterator[str]:
        """What ends the run in one arm of a test, where something does in the other one as well."""
        found = [next(self.reasons(written, ran(arm, within), deep), "") for arm in (test.body, test.orelse)]
        yield from found[:1] if all(found) else ()

    def _not_bound(self, written: Written, read: ast.Name, within: Within) -> Iterator[str]:
        """A variable of a function that is asked for before a statement binds it."""
        if written.is_unbound(read, within):
            yield f"`{read.id}`, which {written.place(read)} asks for, is bound further down"

    def _bound_nowhere(self, written: Written, read: ast.Name, within: Within) -> Iterator[str]:
        """A variable that is asked for and that nothing binds, in this module or in one whose names it has taken."""
        if written.is_file and read.id not in _ALWAYS_BOUND:
            names = self._names.bound(written) if written.is_outer(read.id, within) else None
            if names is not None and read.id not in names and read.id not in written.shared:
                yield f"`{read.id}`, which {written.place(read)} asks for, is bound nowhere"

    # imports

    def _not_found(self, written: Written, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
        """What an import does not find, itself or in what it imports."""
        if written.file is None:
            return
        for module in [each.name for each in node.names] if isinstance(node, ast.Import) else [full_name(node)]:
            if module.partition(".")[0] in packages():
                continue  # whoever has a file of its name has the library as well
            files = self._files.namesakes(written.file, module)
            if files == []:
                yield f"`{module}`, which {written.place(node)} imports, is not in the project"
            found = [(file, self._names.other(file)) for file in files or ()]
            if isinstance(node, ast.ImportFrom) and any(other is not None for _, other in found):
                yield from self._without_name(written, node, [other for _, other in found])
            for file, other in found if len(found) == 1 else ():
                yield from self._in_turn(file, other)

    def _without_name(self, written: Written, node: ast.ImportFrom, found: Sequence[Written | None]) -> Iterator[str]:
        """The names that are in none of the files from which they may be imported."""
        known = [self._names.bound(each) if each else set() for each in found]
        for name in (each.name for each in node.names if each.name != "*"):
            lacking = all(names is not None and name not in names for names in known)
            if written.file and lacking and self._files.namesakes(written.file, inner_name(node, name)) == []:
                yield f"`{name}`, which {written.place(node)} imports, is not in `{full_name(node)}`"

    def _in_turn(self, file: str, module: Written | None) -> Iterator[str]:
        if module and file not in self._imported and len(self._imported) < MOST_MODULES:
            self._imported.add(file)
            for each in module.begins_with:
                yield from self._not_found(module, each)

    def _no_attribute(self, written: Written, read: ast.Attribute, within: Within) -> Iterator[str]:
        """What a module of the project is asked for and has not."""
        module = self._names.lacking(written, read, within)
        if module and module.partition(".")[0] not in packages():
            yield f"`{read.attr}`, which {written.place(read)} asks for, is not in `{module}`"

    # options

    def _no_option(self, written: Written, read: ast.Attribute, within: Within) -> Iterator[str]:
        """An option that is asked for and that no parser has."""
        if not isinstance(read.value, ast.Name) or read.attr.startswith("_"):
            return
        name = read.value.id
        found = self._parsed(written, name, within)
        lacking = found is not None and found.names is not None and read.attr not in found.names
        if lacking and written.file and not self._files.is_set(read.attr, written.file):
            yield f"`{name}.{read.attr}`, which {written.place(read)} asks for, is no option of its parser"

    def _given_twice(self, written: Written, call: ast.Call, within: Within) -> Iterator[str]:
        """An option that a parser is given again."""
        match call.func:
            case ast.Attribute(value=ast.Name(id=name), attr="add_argument"):
                found = self._scope(written, name, within).parser(name)
                if found and found.twice and found.twice[1] is call:
                    yield f"`{found.twice[0]}` is given to the parser twice, in {written.place(call)}"
            case _:
                pass

    def _parsed(self, written: Written, name: str, within: Within) -> Parser | None:
        """The parser whose options a name stands for, as its own scope or a function of the project has parsed them."""
        scope = self._scope(written, name, within)
        value = scope.value(name)
        if not isinstance(value, ast.Call):
            return None
        if of := parser_of(value):
            return scope.parser(of)
        made = self._names.called(written, value.func, () if scope.body is written.tree.body else within)
        if made is None or not (isinstance(made.definition, ast.FunctionDef) and runs_at_once(made.definition)):
            return None
        inner = self._of(made.definition.body)
        parsed = inner.returned()
        return inner.parser(parser_of(parsed)) if parsed else None

    def _scope(self, written: Written, name: str, within: Within) -> Scope:
        """The scope that a name is bound in: that of the module, or of the function around."""
        return self._of(within[-1].body if within and not written.is_outer(name, within) else written.tree.body)

    def _of(self, body: Sequence[ast.stmt]) -> Scope:
        if id(body) not in self._scopes:
            self._scopes[id(body)] = Scope(body)
        return self._scopes[id(body)]

    # calls

    def _refused(self, written: Written, call: ast.Call, within: Within, deep: int) -> Iterator[str]:
        """What a function of the project is called with that it does not take, and what ends the run in one that takes it."""
        found = self._names.called(written, call.func, within)
        if found is None:
            return
        if why := refuses(found.definition, call, found.bound):
            yield f"`{found.definition.name}` {why}, in {written.place(call)}"
        elif deep < DEEPEST and (inner := runs_at_once(found.definition)):
            if inner[-1] not in self._inside:
                self._inside[inner[-1]] = ""  # one that calls itself
                way = ran(inner[-1].body, (*found.within, *inner))
                self._inside[inner[-1]] = next(self.reasons(found.written, way, deep + 1), "")
            yield from filter(None, [self._inside[inner[-1]]])

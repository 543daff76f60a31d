"""An object that a function lacks, handed in by who calls it: a parameter more there, an argument more in the call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import libcst as cst

from loopcheck.finding import TextEdit
from loopcheck.read.front.source import Source
from loopcheck.rule import Witness
from loopcheck.write.edits import insertion
from loopcheck.write.effects import unknown
from loopcheck.write.sites import Level, levels
from loopcheck.write.statements import NoPlan, dotted, function_of, statement_of, walk

Importers = Callable[[Path, str], Sequence[Path]]
"""The files that import another one and mention a name of it."""


def handed_in(
    witness: Witness, level: Level, names: Iterable[str], brought: Mapping[object, set[str]], importers: Importers
) -> Iterator[TextEdit]:
    """The edits that bring names to a level from the call further out where they have values.

    brought: names that the repair itself gives values, by the function in which it does. Raises NoPlan where there is no such
    call, or somebody else may call one of the functions on the way.
    """
    way = [*levels(witness, level.event, across=True)]
    at = next((number for number, each in enumerate(way) if each.node is level.node), len(way))
    missing = set(names)
    if "self" in missing:
        raise NoPlan("it is an attribute, and the function is no method")
    for inner, outer in zip(way[at:], way[at + 1 :], strict=False):
        function = _called_once(inner, outer, importers)
        lacking = sorted(missing)
        yield _parameters(inner.source, function, lacking)
        yield _arguments(outer.source, _call(outer), function, lacking)
        place = statement_of(outer.source, outer.node)
        around = function_of(outer.source, outer.node)
        missing = unknown(outer.source, place.node, place.first, missing) - brought.get(around, set()) - brought.get(None, set())
        if not missing:
            return
    raise NoPlan(f"`{min(missing)}` has no value where it is needed, nor where that is called")


def _call(level: Level) -> cst.Call:
    if not isinstance(level.node, cst.Call):
        raise NoPlan("it is not written as a call")
    return level.node


def _called_once(inner: Level, outer: Level, importers: Importers) -> cst.FunctionDef:
    """The function that a level is in. Raises NoPlan where anything but the call further out may call it."""
    function = function_of(inner.source, inner.node)
    if not isinstance(function, cst.FunctionDef) or function.decorators or function.params.star_kwarg:
        raise NoPlan("the function is called in a way of its own")
    name = function.name.value
    if dotted(_call(outer).func).rpartition(".")[2] != name:
        raise NoPlan(f"`{name}` is called in a way of its own")
    both = {inner.source, outer.source}
    bare = function_of(inner.source, function) is None
    said = sum(_mentions(source, name, bare and source is inner.source) for source in both)
    files = {source.file for source in both}
    others = [each for file in files if file for each in importers(file, name) if each not in files]
    if said > 1 or others:
        raise NoPlan(f"`{name}` is called elsewhere, too")
    return function


def _mentions(source: Source, name: str, bare: bool) -> int:
    """How often a file speaks of a function, its definition and imports left out; two definitions are one too many.

    bare: it is one of the file's own, and no method: `scaler.update` is not it.
    """
    said = defined = 0
    for node in walk(source.module):
        if isinstance(node, cst.FunctionDef) and node.name.value == name:
            defined += 1
        elif isinstance(node, cst.Name) and node.value == name and not _introduces(source, node):
            said += not (bare and _is_part(source, node))
        elif isinstance(node, cst.SimpleString) and node.raw_value == name:
            said += 1
    return said + max(defined - 1, 0)


def _introduces(source: Source, node: cst.Name) -> bool:
    parent = source.parents[node]
    return isinstance(parent, (cst.ImportAlias, cst.AsName)) or (isinstance(parent, cst.FunctionDef) and parent.name is node)


def _is_part(source: Source, node: cst.Name) -> bool:
    parent = source.parents[node]
    return isinstance(parent, cst.Attribute) and parent.attr is node


def _parameters(source: Source, function: cst.FunctionDef, names: Sequence[str]) -> TextEdit:
    """After the last parameter that has to be given."""
    params = function.params
    if not isinstance(params.star_arg, cst.MaybeSentinel) or params.kwonly_params or params.posonly_params:
        raise NoPlan(f"`{function.name.value}` takes its arguments in a way of its own")
    told, given = ", ".join(names), _required(function)
    if given:
        end = source.span_of(given[-1])
        return insertion(source, end.end_row, end.end_column, f", {told}")
    if params.params:
        first = source.span_of(params.params[0])
        return insertion(source, first.row, first.column, f"{told}, ")
    end = source.span_of(function.name)
    return insertion(source, end.end_row, end.end_column + 1, told)


def _required(function: cst.FunctionDef) -> list[cst.Param]:
    return [each for each in function.params.params if each.default is None]


def _arguments(source: Source, call: cst.Call, function: cst.FunctionDef, names: Sequence[str]) -> TextEdit:
    """By position where all before it are given so, else by name."""
    takes = len([each for each in _required(function) if each.name.value != "self"])
    given = [arg for arg in call.args if arg.keyword is None]
    if any(arg.star for arg in call.args) or len(given) > takes:
        raise NoPlan(f"`{function.name.value}` is called in a way of its own")
    by_place = len(given) == takes
    told = ", ".join(names) if by_place else ", ".join(f"{name}={name}" for name in names)
    last = given[-1:] if by_place else call.args[-1:]
    if last:
        end = source.span_of(last[0])
        return insertion(source, end.end_row, end.end_column, f", {told}")
    end = source.span_of(call)
    if call.args:
        first = source.span_of(call.args[0])
        return insertion(source, first.row, first.column, f"{told}, ")
    return insertion(source, end.end_row, end.end_column - 1, told)

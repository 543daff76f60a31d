"""Lists and dicts that are changed where others hold them: by the function that is given them, and by the passes of a loop.

They are values here, and have no identity but under the names that one function sees: a call copies out what the function has
made of them (copy-in, copy-out).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from loopcheck.read.domain.heap import Key
from loopcheck.read.domain.parts import entries_of, leaves_of, parts_of, role_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import Arguments, Choice, Const, Frame, Function, Instance, Items, Value
from loopcheck.read.front import ir
from loopcheck.read.front.index import EDITING
from loopcheck.read.interpret.binding import edit, last_name
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.names import found_under


def results_of(node: ir.Place, called: Function, args: Arguments) -> Mapping[str, ir.Expression]:
    """The lists and dicts that a call hands to a function which changes them: its parameters, each with what the caller wrote."""
    index = called.frame.source.index
    edited = index.edits_of(index.of(called.code))
    if not edited or not isinstance(node, ir.Call):
        return {}
    return {
        name: given
        for name, given, value in _given(node, called, args)
        if name in edited and isinstance(value, Items) and isinstance(given, (ir.Name, ir.Attribute))
    }


def changes_own(m: Machine, called: Function) -> bool:
    """Whether a method changes a list or a dict that its object has: `self.losses.append(loss)`."""
    held = m.state.heap.of(called.me) if isinstance(called.me, Instance) else {}
    if not held:
        return False
    edits = called.frame.source.index.of(called.code).edits
    return any(isinstance(held.get(name.partition(".")[2]), Items) for name, _ in edits)


def copy_out(m: Machine, results: Mapping[str, ir.Expression], frame: Frame | None) -> None:
    """The caller's lists and dicts are what a function made of them. frame: its variables; None where nobody has read it."""
    for name, target in results.items():
        made = m.state.heap.get((frame, name)) if frame else None
        edit(m, target, m.evaluate(target), m.state.fresh(last_name(target)) if made is None else made)


def _given(node: ir.Call, called: Function, args: Arguments) -> Iterator[tuple[str, ir.Expression, Value]]:
    """What a call gives for each parameter, as it is written and what it is, up to an argument that stands for several."""
    names = called.code.parameters.names[1:] if called.method else called.code.parameters.names
    for index, arg in enumerate(node.arguments):
        if arg.star:
            return
        if arg.keyword in args.keywords:
            yield arg.keyword, arg.value, args.keywords[arg.keyword]
        elif index < len(names) and index < len(args.values):
            yield names[index], arg.value, args.values[index]


def unsettle_items(m: Machine, body: ir.Block, calls: bool) -> Mapping[Term, tuple[Key, object]]:
    """What each entry is where a pass begins of those that the passes of a loop put under a key of a dict, with the dict and the
    key: it is not constant in the loop. calls: the body calls functions."""
    found: dict[Term, tuple[Key, object]] = {}
    edited = {name: {**keys} for name, keys in _edited(body).items()}
    if calls:
        for name, keys in m.state.frame.source.index.edited.items():
            edited[name] = dict.fromkeys(keys, False) | edited.get(name, {})
    for name, by_key in edited.items():
        base, _, attribute = name.partition(".")
        key = found_under(m.state, base)
        if key is not None and attribute:
            key = m.state.heap[key], attribute
        found |= unsettle(m, key, by_key)
    return found


def unsettle(m: Machine, at: Key | None, keys: Mapping[str, bool]) -> Mapping[Term, tuple[Key, object]]:
    """What stands from here on for what is constant under these keys of a dict, an empty one standing for any. keys: each with
    whether it is counted up. A dict may be one of two, as in a run that may go on from a file."""
    value = m.state.heap.get(at) if at else None
    found: dict[Term, tuple[Key, object]] = {}
    if at is not None and value is not None and any(isinstance(each, Items) and each.keys for each in leaves_of(value)):
        m.state.heap[at] = _unsettled(m, at, value, keys, found)
    return found


def _unsettled(m: Machine, at: Key, value: Value, keys: Mapping[str, bool], found: dict[Term, tuple[Key, object]]) -> Value:
    """A value with what stands for the constant entries of its dicts, each of which is found."""
    if isinstance(value, Choice):
        then, other = (_unsettled(m, at, each, keys, found) for each in (value.then, value.other))
        return replace(value, then=then, other=other)
    if not isinstance(value, Items) or value.keys is None:
        return value
    made: list[Value] = []
    for key, each in entries_of(value).items():
        changes = "" in keys or key in keys
        if changes and isinstance(each, (Const, Choice)) and not any(role_of(part) for part in parts_of(each)):
            within = m.state.fresh(f"{at[1]}.{key}", counter=keys.get(str(key), False))
            m.state.entered[within.term] = each
            found[within.term] = at, key
            each = within
        made.append(each)
    return Items(tuple(made), value.keys)


@lru_cache(maxsize=4096)
def _edited(body: ir.Block) -> Mapping[str, Mapping[str, bool]]:
    """The dicts that code changes, by name or attribute of a name: the keys, each with whether it is counted up."""
    found: dict[str, dict[str, bool]] = {}

    def edited(target: ir.Expression, key: str, counted: bool) -> None:
        match target:
            case ir.Name(name=name):
                found.setdefault(name, {})[key] = counted
            case ir.Attribute(base=ir.Name(name=base), name=name):
                found.setdefault(f"{base}.{name}", {})[key] = counted

    for node in ir.walk(*body):
        match node:
            case ir.Assign(targets=targets):
                pass
            case ir.Augment(target=target):
                targets = (target,)
            case ir.Call(function=ir.Attribute(base=base, name=name)) if name in EDITING:
                edited(base, "", False)
                continue
            case _:
                continue
        for each in targets:
            if isinstance(each, ir.Subscript):
                key = each.index.value if isinstance(each.index, ir.Literal) else ""
                counted = isinstance(node, ir.Augment) and isinstance(node.value, ir.Literal)
                edited(each.base, key if isinstance(key, str) else "", counted)
    return found

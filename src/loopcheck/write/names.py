"""Names for what a fix speaks of and no object of the witness is: read off the code around a place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import libcst as cst

from loopcheck.api import AUTOCAST, AUTOCAST_OF
from loopcheck.read.front.source import Source
from loopcheck.words import HELD_OUT, metric_of, words
from loopcheck.write.effects import bound, rows_bound
from loopcheck.write.statements import code, dotted, function_of, statement_of, walk


def device_of_autocast(source: Source, node: cst.CSTNode) -> str:
    """The device, as it is written, of the autocast that a node is under; nothing where that is made out of sight."""
    while node in source.parents and not isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        node = source.parents[node]
        for item in node.items if isinstance(node, cst.With) else ():
            context = item.item if isinstance(item.item, cst.Call) else _only_value(source, code(item.item))
            if isinstance(context, cst.Call) and (device := _device(context)):
                return device
    return ""


def _only_value(source: Source, name: str) -> cst.BaseExpression | None:
    """What a name stands for, where a file says so once."""
    made = [each for each in walk(source.module) if isinstance(each, cst.Assign) and code(each.targets[0].target) == name]
    return made[0].value if len(made) == 1 else None


def _device(call: cst.Call) -> str:
    name = dotted(call.func)
    if name in AUTOCAST_OF:
        return f'"{AUTOCAST_OF[name]}"'
    told = [arg.value for arg in call.args if not arg.star and (arg.keyword is None or arg.keyword.value == "device_type")]
    return code(told[0]) if name.rpartition(".")[2] == AUTOCAST and told else ""


def metric_before(source: Source, node: cst.CSTNode, mode: str) -> str:
    """The one variable that a schedule may follow, by its name and by what `mode` wants of it: that of held-out data, if any."""
    row, scope = source.span_of(node).row, function_of(source, node) or source.module
    wanted = "gain" if mode == "max" else "loss"
    known = [name for name, first in rows_bound(source, scope).items() if 0 < first < row and metric_of(name) == wanted]
    measured = [name for name in known if words(name) & HELD_OUT] or known
    return measured[0] if len(measured) == 1 else ""


def target_of(source: Source, node: cst.CSTNode) -> str:
    """What the value of a call is bound to: `self.optimizer`; nothing where that is more than one thing, or none."""
    statement = statement_of(source, node).node
    match statement:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() | cst.Attribute() as target)], value=value) if value is node:
            return code(target)
        case _:
            return ""


def only_made(source: Source, node: cst.CSTNode, name: str) -> bool:
    """Whether what a call makes is all that a name stands for in a file."""
    bindings = [each for each in walk(source.module) if isinstance(each, cst.AssignTarget) and code(each.target) == name]
    return bool(name) and target_of(source, node) == name and len(bindings) == 1


def may_lack(source: Source, name: str) -> bool:
    """Whether a file makes an object in some runs only, or asks whether it is there."""
    for node in walk(source.module):
        match node:
            case cst.Assign(targets=[cst.AssignTarget(target)], value=value) if code(target) == name:
                given = [value.body, value.orelse] if isinstance(value, cst.IfExp) else [value]
                if any(code(each) == "None" for each in given):
                    return True
            case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(cst.Is() | cst.IsNot(), to)]):
                if code(left) == name and code(to) == "None":
                    return True
            case cst.If(test=test) | cst.IfExp(test=test) if code(test) == name:
                return True
    return False


@lru_cache(maxsize=8)
def _assignments(source: Source) -> Mapping[str, list[cst.Assign]]:
    """Those of a file, by what they bind first."""
    found: dict[str, list[cst.Assign]] = {}
    for each in walk(source.module):
        if isinstance(each, cst.Assign):
            found.setdefault(code(each.targets[0].target), []).append(each)
    return found


@lru_cache(maxsize=64)
def asked_in(scope: cst.CSTNode) -> frozenset[str]:
    """What every `if` of a function or a module asks."""
    return frozenset(code(node.test) for node in walk(scope) if isinstance(node, cst.If))


def none_but_under(source: Source, name: str) -> set[str] | None:
    """The tests under which a name is bound to something, of one that a file binds to None elsewhere; None of any other."""
    made = _assignments(source).get(name, [])
    lacking, tests = False, set[str]()
    for each in made:
        arms = [each.value.body, each.value.orelse] if isinstance(each.value, cst.IfExp) else [each.value]
        here = any(code(arm) == "None" for arm in arms)
        lacking |= here
        if isinstance(each.value, cst.IfExp):
            tests.add(code(each.value.test))
        elif not here:
            around = statement_of(source, each).around
            tests |= {code(outer.node.test) for outer in around if isinstance(outer.node, cst.If)}
    return tests if lacking else None


def free_beside(source: Source, node: cst.CSTNode, other: str, name: str) -> str:
    """How something new is written that stands where another thing does: `self.scaler` beside `self.optimizer`; nothing where
    that name is taken."""
    owner = other.rpartition(".")[0]
    scope = function_of(source, node) or source.module
    taken = bound(scope) | bound(source.module)
    return f"{owner}.{name}" if owner else "" if name in taken else name

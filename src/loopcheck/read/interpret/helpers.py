"""Functions of the project that an expression of another one stands for, read as they are written: nothing is called."""

from __future__ import annotations

from functools import lru_cache

from loopcheck.read.domain.parts import leaves_of
from loopcheck.read.domain.values import Frame, Function, Symbol
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_names
from loopcheck.read.interpret.machine import Machine


def functions_called(m: Machine, frame: Frame, code: ir.Code, node: ir.Expression) -> list[Function]:
    """The functions that an expression of a function stands for; none where it may stand for anything else. frame: that in which
    the function is defined."""
    root = root_of(node)
    if root is None or root.name == "self" or root.name in own_names(code):
        return []
    found = list(leaves_of(m.evaluate(node)))
    known = [each for each in found if isinstance(each, Function) and not each.method]
    if len(known) == len(found):
        return known
    unbound = node is root and all(isinstance(each, Symbol) for each in found)
    return _defined_below(frame, root.name) if unbound and frame.name == "module" else []


def root_of(node: ir.Expression) -> ir.Name | None:
    """The name that an expression begins with, `nn` of `nn.init.zeros_`; None of one that is no name and no attribute of one."""
    while isinstance(node, ir.Attribute):
        node = node.base
    return node if isinstance(node, ir.Name) else None


@lru_cache(maxsize=4096)
def own_names(code: ir.Code) -> frozenset[str]:
    """The names that are a function's own."""
    known = code.parameters
    given = (*known.names, *(each.name for each in known.keyword), known.rest, known.options)
    nodes = [*ir.walk(*code.body)]
    defined = (each.code.name for each in nodes if isinstance(each, ir.Define))
    imported = (
        bound or name for each in nodes if isinstance(each, (ir.Import, ir.ImportFrom)) for name, bound in each.names or ()
    )
    return bound_names(code.body).union(given, defined, imported)


def _defined_below(module: Frame, name: str) -> list[Function]:
    """The function of this name of a module, which has not come to it yet."""
    body = module.source.body
    found = [each.code for each in body if isinstance(each, ir.Define) and each.code.name == name]
    return [] if name in bound_names(body) else [Function(each, module) for each in found]

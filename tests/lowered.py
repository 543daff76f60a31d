"""Code compared by what it says: the pieces that lowering makes of it and what the index tells, written out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import libcst as cst

from loopcheck.read.front import ir
from loopcheck.read.front.from_ast import lower
from loopcheck.read.front.from_cst import converted
from loopcheck.read.front.index import Index


def dumped(value: Any) -> object:
    """Code as tuples, with its places and the bodies of its functions."""
    if isinstance(value, ir.Code):
        parts = value.parameters, value.decorators, value.body
        return ("Code", value.span, value.name, value.owner, *map(dumped, parts))
    if isinstance(value, (ir.Node, ir.Parameters, ir.Parameter)):
        return (type(value).__name__, *(dumped(getattr(value, field.name)) for field in fields(value)))
    return tuple(map(dumped, value)) if isinstance(value, tuple) else value


def told_by(index: Index) -> object:
    """All that an index says, without rows."""
    functions = [vars(each) for each in index.functions.values()]
    classes = {name: vars(each) for name, each in index.classes.items()}
    bodies = [vars(each) for each in index.bodies.values()]
    return {**vars(index), "functions": functions, "classes": classes, "bodies": bodies}


def of_python(text: str) -> ir.Block:
    return lower(ast.parse(text), text)


def of_libcst(text: str) -> ir.Block:
    return lower(converted(cst.parse_module(text), text), text)


def everywhere(block: ir.Block) -> Iterator[ir.Node | ir.Code]:
    """Every piece of code, in functions and out of them."""
    for node in ir.walk(*block):
        yield node
        if isinstance(node, (ir.Define, ir.Lambda)):
            parameters = (*node.code.parameters.positional, *node.code.parameters.keyword)
            defaults = [each.default for each in parameters if each.default]
            yield node.code
            yield from everywhere((*node.code.decorators, *defaults, *node.code.body))  # type: ignore[arg-type]


def said(value: Any) -> str:
    """Code without its places, short enough for a table: `(Assign [x] (Call f [1 *args]))`; `-` where there is nothing."""
    match value:
        case ir.Name(name=name):
            return name
        case ir.Literal(value=literal):
            return repr(literal)
        case ir.Argument(value=inner, keyword=keyword, star=star):
            return f"{keyword}={said(inner)}" if keyword else f"{star}{said(inner)}"
        case ir.Define(code=code) | ir.Lambda(code=code):
            marks = "".join(f"@{said(each)} " for each in code.decorators)
            return f"{marks}({code.title} {_parameters(code.parameters)} {said(code.body)})"
        case ir.Node():
            return f"({' '.join([type(value).__name__, *(said(getattr(value, name)) for name in value.__slots__)])})"
        case tuple():
            return f"[{' '.join(map(said, value))}]"
        case None:
            return "-"
        case _:
            return str(value) or "-"


def _parameters(of: ir.Parameters) -> str:
    def written(each: ir.Parameter) -> str:
        annotation = f":{each.annotation}" if each.annotation else ""
        return f"{each.name}{annotation}" + (f"={said(each.default)}" if each.default else "")

    parts = [*map(written, of.positional), *([f"*{of.rest}"] if of.rest or of.keyword else [])]
    return ",".join([*parts, *map(written, of.keyword), *([f"**{of.options}"] if of.options else [])]) or "-"

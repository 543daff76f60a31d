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


def dumped(value: Any) -> object:
    """Code as tuples, with its places and the bodies of its functions."""
    if isinstance(value, ir.Code):
        parts = value.parameters, value.decorators, value.body
        return ("Code", value.span, value.name, value.owner, *map(dumped, parts))
    if isinstance(value, (ir.Node, ir.Parameters, ir.Parameter)):
        return (type(value).__name__, *(dumped(getattr(value, field.name)) for field in fields(value)))
    return tuple(map(dumped, value)) if isinstance(value, tuple) else value


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

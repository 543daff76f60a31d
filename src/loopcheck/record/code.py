"""What stands in the definition of code that runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType


def inside(tree: ast.AST, code: CodeType | type) -> Iterator[ast.stmt | ast.expr]:
    """What stands in the definition of a function or a class; in a module, outside of those of functions."""
    if isinstance(code, CodeType) and code.co_name == "<module>":
        work = [tree]
        while work:
            found = [each for each in ast.iter_child_nodes(work.pop()) if not isinstance(each, ast.FunctionDef)]
            yield from (each for each in found if isinstance(each, (ast.stmt, ast.expr)))
            work += found
        return
    called = code.co_name if isinstance(code, CodeType) else code.__name__
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == called:
            yield from (each for each in ast.walk(node) if isinstance(each, (ast.stmt, ast.expr)))

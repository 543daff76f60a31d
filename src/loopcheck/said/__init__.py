"""What code says of what nobody computes, for both judges: told by the names and literals in it, so that no comment counts.

Parsed once for all who ask. Each question is a module, with the words that it goes by.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache


@lru_cache(maxsize=256)
def parsed(code: str) -> ast.Module | None:
    """The tree of code, None of what is no Python."""
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def nodes(code: str) -> Iterable[ast.AST]:
    """All that code is made of, nothing of what is no Python."""
    tree = parsed(code)
    return () if tree is None else ast.walk(tree)

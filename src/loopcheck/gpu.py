"""What code says of the machine that it computes on, for both judges: told by the names in it, so that no comment counts."""

from __future__ import annotations

import ast
from functools import lru_cache

_GPU = "cuda"


@lru_cache(maxsize=256)
def computes_on_gpu(code: str) -> bool:
    """Whether code names a GPU: `model.cuda()`, `"cuda:0"`, `torch.cuda`. Of no Python nothing is known."""
    if _GPU not in code:
        return False
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(_names_it(node) for node in ast.walk(tree))


def _names_it(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr=said) | ast.Constant(value=str(said)):
            return said.partition(":")[0] == _GPU
        case _:
            return False

"""What code says of the machine that it computes on."""

from __future__ import annotations

import ast
from functools import lru_cache

from loopcheck.said import nodes

_GPU = "cuda"


@lru_cache(maxsize=256)
def computes_on_gpu(code: str) -> bool:
    """Whether code names a GPU: `model.cuda()`, `"cuda:0"`, `torch.cuda`. Of no Python nothing is known."""
    return _GPU in code and any(map(_names_it, nodes(code)))


def _names_it(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr=said) | ast.Constant(value=str(said)):
            return said.partition(":")[0] == _GPU
        case _:
            return False

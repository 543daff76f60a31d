"""What code says of how losses are scaled, and of types that need no scale."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from loopcheck.said import nodes, parsed

_SCALES = re.compile(r"scaler|loss_?scal|scale_loss|bf16|bfloat16", re.I)


@lru_cache(maxsize=256)
def speaks_of_scaling(code: str) -> bool:
    """Whether code names a loss scale, or a type that needs none: then autocast is not all that there is to it."""
    return _SCALES.search(code) is not None and (parsed(code) is None or any(map(_names_it, nodes(code))))


def _names_it(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=said) | ast.Attribute(attr=said) | ast.Constant(value=str(said)) | ast.arg(arg=said):
            return _SCALES.search(said) is not None
        case ast.alias(name=said) | ast.keyword(arg=str(said)):
            return _SCALES.search(said) is not None
        case _:
            return False

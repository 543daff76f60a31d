"""What code says of the keys of a state."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from loopcheck.api import WRAPPING
from loopcheck.said import nodes

_HELD = frozenset(WRAPPING.values())
_BEGUN = re.compile(rf"""(?:["'}}]|\\\n)(?:{"|".join(sorted(_HELD))})[.'"]""")
"""Where a text may begin so: most code says `module` as the name of something."""


@lru_cache(maxsize=256)
def knows_wrappers(code: str) -> bool:
    """Whether code speaks of what the keys of a wrapper's state begin with, `"module."`, or asks whether there is a wrapper,
    `hasattr(model, "module")`: it takes that off, or puts it on. Of what is no Python nothing is known."""
    return _BEGUN.search(code) is not None and any(map(_tells, nodes(code)))


def _tells(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=str(text)):
            return "." in text and text.partition(".")[0] in _HELD
        case ast.Call(func=ast.Name(id="hasattr"), args=[_, ast.Constant(value=str(asked))]):
            return asked in _HELD
        case _:
            return False

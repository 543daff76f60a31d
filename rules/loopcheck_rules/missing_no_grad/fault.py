"""`no_grad()` or `inference_mode()` is left out, around a block or above a function.

Not where the block converts to numpy without detaching: torch refuses that of a tensor with a graph, so nobody can have left it
out.
"""

import ast
import re

from loopcheck.faults import Script, Seeds, switches_off

ALSO = ("graph-retained-in-metric",)

_NUMBERS = re.compile(rb"(?<!detach\(\))(?<!cpu\(\))\.numpy\(\)|(?<!detach\(\))\.cpu\(\)\.numpy\(\)")


def plant(script: Script) -> Seeds:
    for node in ast.walk(script.tree):
        for manager in switches_off(node):
            assert isinstance(node, ast.stmt)
            if _NUMBERS.search(script.text(node)):
                continue
            if not isinstance(node, ast.With):
                yield node, [(slice(script.span(manager).start - 1, script.span(manager).stop), b"")]
            elif len(node.items) == 1:
                yield node, [(slice(script.span(node).start, script.span(manager).stop), b"if True")]

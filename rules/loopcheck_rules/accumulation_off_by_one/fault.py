"""The window of an accumulation ends at `i % n`, not `(i + 1) % n`."""

import ast

from loopcheck.faults import Script, Seeds


def plant(script: Script) -> Seeds:
    for node in ast.walk(script.tree):
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Mod)
            and "accum" in script.text(node.right).decode(errors="replace")
        ):
            left = node.left
            if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add) and isinstance(left.left, ast.Name):
                yield node, [script.instead(left, script.text(left.left))]

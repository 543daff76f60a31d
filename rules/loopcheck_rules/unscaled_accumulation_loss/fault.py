"""The division of a loss by the number of micro-batches is left out."""

import ast

from loopcheck.faults import Script, Seeds, name_of


def plant(script: Script) -> Seeds:
    for node in ast.walk(script.tree):
        divisor: ast.expr | None = None
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div) and "loss" in name_of(node.target).lower():
            divisor = node.value
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Div):
            same = name_of(node.value.left) == name_of(node.targets[0])
            divisor = node.value.right if same and "loss" in name_of(node.value.left).lower() else None
        if divisor is not None and "accum" in script.text(divisor).decode(errors="replace").lower():
            assert isinstance(node, ast.stmt)
            yield node, [script.gone(node)]

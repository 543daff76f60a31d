"""`.item()` is left out of a loss that is added up or appended."""

import ast

from loopcheck.faults import Script, Seeds, calls_in, name_of, switches_off


def plant(script: Script) -> Seeds:
    unrecorded = {inner for node in ast.walk(script.tree) if switches_off(node) for inner in ast.walk(node)}
    for node in ast.walk(script.tree):
        if node in unrecorded:
            continue
        value = None
        if (isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add)) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and name_of(node.value.func) == "append"
        ):
            value = node.value
        if value is not None:
            for call in calls_in(value):
                if (
                    isinstance(call.func, ast.Attribute)
                    and call.func.attr == "item"
                    and "loss" in name_of(call.func.value).lower()
                ):
                    yield call, [script.instead(call, script.text(call.func.value))]
                    break

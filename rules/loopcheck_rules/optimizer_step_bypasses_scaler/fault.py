"""`scaler.step(optimizer)` is `optimizer.step()`."""

import ast

from loopcheck.faults import Script, Seeds, name_of


def plant(script: Script) -> Seeds:
    for call in script.calls("step"):
        if isinstance(call.func, ast.Attribute) and "scaler" in name_of(call.func.value).lower() and len(call.args) == 1:
            yield call, [script.instead(call, script.text(call.args[0]) + b".step()")]

"""`ReduceLROnPlateau` waits for the other direction."""

import ast

from loopcheck.faults import Script, Seeds


def plant(script: Script) -> Seeds:
    for call in script.calls("ReduceLROnPlateau"):
        for value in [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]:
            if isinstance(value, ast.Constant) and value.value in ("min", "max"):
                yield call, [script.instead(value, b'"max"' if value.value == "min" else b'"min"')]

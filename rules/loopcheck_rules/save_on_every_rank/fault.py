"""The test of the rank around a save is gone."""

import ast

from loopcheck.faults import Script, Seeds, calls_in, name_of


def plant(script: Script) -> Seeds:
    for node in ast.walk(script.tree):
        if isinstance(node, ast.If) and not node.orelse and any(name_of(call.func) == "save" for call in calls_in(node)):
            test = script.text(node.test).decode(errors="replace")
            if any(word in test for word in ("rank", "is_main", "master")):
                yield node, [script.instead(node.test, b"True")]

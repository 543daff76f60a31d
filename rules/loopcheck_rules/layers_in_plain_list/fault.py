"""An `nn.ModuleList` is the list that it is made of."""

from loopcheck.faults import Script, Seeds


def plant(script: Script) -> Seeds:
    for call in script.calls("ModuleList"):
        yield call, [script.instead(call, script.text(call.args[0]) if call.args else b"[]")]

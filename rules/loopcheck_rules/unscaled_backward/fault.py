"""`scaler.scale(loss)` is `loss`."""

from loopcheck.faults import Script, Seeds


def plant(script: Script) -> Seeds:
    if script.made_by("GradScaler"):
        for call in script.calls("scale"):
            if len(call.args) == 1 and "scaler" in script.text(call.func).decode(errors="replace").lower():
                yield call, [script.instead(call, script.text(call.args[0]))]

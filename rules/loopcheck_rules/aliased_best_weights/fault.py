"""The best weights are not copied."""

from loopcheck.faults import Script, Seeds


def plant(script: Script) -> Seeds:
    for call in script.calls("deepcopy"):
        if call.args and script.text(call.args[0]).endswith(b".state_dict()"):
            yield call, [script.instead(call, script.text(call.args[0]))]

"""A functional dropout is not told the mode."""

from loopcheck.faults import Script, Seeds


def plant(script: Script) -> Seeds:
    for call in script.calls("dropout"):
        for keyword in call.keywords:
            if keyword.arg == "training" and script.text(keyword.value) == b"self.training":
                yield call, [script.instead(keyword, b"")]

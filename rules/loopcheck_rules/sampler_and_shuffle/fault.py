"""A loader that is given a sampler is to shuffle, too."""

from loopcheck.faults import Script, Seeds


def plant(script: Script) -> Seeds:
    for call in script.calls("DataLoader"):
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        if "sampler" in given and "shuffle" not in given:
            sampler = given["sampler"]
            yield call, [script.instead(sampler, script.text(sampler) + b", shuffle=True")]

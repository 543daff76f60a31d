"""Weights are kept for later as `state_dict()` hands them out: those are the live ones, which training goes on changing."""

from loopcheck import Confidence, Rule, no, recall, replace, restore, snapshot, step

rule = Rule(
    code="LC904",
    bug=(
        snapshot(of="model") >> step >> no(snapshot) >> recall(saved=False),
        # of others than these: then they are as they were
        snapshot(of="model") >> no(recall) >> restore >> no(snapshot) >> recall(saved=False),
        # of a state that is there before all training, files are to have what has become of it by then
        step >> snapshot(of="model") >> step >> no(snapshot) >> recall(saved=True),
        step >> snapshot(of="model") >> no(recall) >> restore >> no(snapshot) >> recall(saved=True),
        snapshot(of="itself") >> step >> no(snapshot | restore) >> recall,
    ),
    per="state",
    at=snapshot,
    some_paths=Confidence.MEDIUM,  # the best is beaten on some passes, and not on others
    says="{snapshot} is no copy: {recall} gets the weights as they are by then",
    fix=replace(snapshot, "copy.deepcopy({was})", requires="import copy"),
)

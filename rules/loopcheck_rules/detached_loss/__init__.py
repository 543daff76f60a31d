"""Backward runs on a loss without a graph, cut from it or computed under `no_grad`, so no weight gets a gradient."""

from loopcheck import Rule, backward

rule = Rule(
    code="LC108",
    bug=backward(cut=True),
    per="model",
    says="{backward} reaches no parameter of {model}: the loss was cut from the graph, or computed without one",
    by_hand="what cut the loss off may be there for a reason elsewhere",
)

"""An evaluation pass builds an autograd graph that nothing will ever walk back."""

from loopcheck import Rule, evaluate, forward, no, train, wrap

rule = Rule(
    code="LC602",
    bug=(
        forward(validating=True, grad=True),
        forward(deployed=True, grad=True),
        evaluate >> no(train) >> forward(read=True, grad=True),
    ),
    per="model",
    says="{forward} records a graph for a backward that never comes",
    fix=wrap(forward, "torch.no_grad()", requires="import torch"),
)

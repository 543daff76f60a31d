"""Training applies the model past its wrapper, which then averages no gradients: each process trains a model of its own."""

from loopcheck import Rule, backward, callee_of, forward, no, replace, replicate

rule = Rule(
    code="LC709",
    bug=replicate >> no(forward(bypasses=False)) >> forward(bypasses=True, grad=True) >> no(forward(bypasses=False)) >> backward,
    at=forward,
    says="{forward} goes past the wrapper, so {backward} averages no gradients: each process trains a model of its own",
    fix=replace(callee_of(forward(bypasses=True)), "{wrapper}"),
)

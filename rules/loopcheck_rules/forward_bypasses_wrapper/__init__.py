"""Training applies the model past its wrapper, which then averages no gradients: each process trains a model of its own."""

from loopcheck import Rule, backward, callee_of, edit, forward, no, replace, replicate, step

rule = Rule(
    code="LC709",
    bug=replicate
    >> no(forward(bypasses=False))
    >> forward(bypasses=True, grad=True)
    >> no(forward(bypasses=False))
    >> backward
    >> no(edit)  # who has the processes average by hand needs no wrapper for it
    >> step,
    at=forward,
    says="{forward} goes past the wrapper, so {backward} averages no gradients: each process trains a model of its own",
    fix=replace(callee_of(forward(bypasses=True)), "{wrapper}"),
)

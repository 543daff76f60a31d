"""A model gets a new layer after the optimizer has taken its parameters: the new ones are never trained."""

from loopcheck import Rule, attach, backward, build, move, no, step

made = build(decay="explicit") | build(decay="default")

rule = Rule(
    code="LC109",
    bug=made >> attach >> no(build) >> backward >> no(build) >> step,
    at=attach,
    says="{attach} is put into the model after {build} has taken its parameters: {step} knows nothing of the new layer",
    fix=move(made, after=attach).unsafe,
)

"""A `torch.no_grad()` on a line of its own makes a context manager, and drops it: autograd goes on recording."""

from loopcheck import Rule, discard, enter

rule = Rule(
    code="LC607",
    bug=discard,
    per="scope",
    says="{discard} makes a context manager that nobody enters: autograd goes on recording",
    fix=enter(discard),
)

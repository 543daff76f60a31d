"""A GradScaler steps over and over without an update in between."""

from loopcheck import Rule, backward, insert, no, same, step, update

rule = Rule(
    code="LC203",
    bug=step(scaled=True) >> no(update) >> backward(scaled=True) >> no(update) >> same(step),
    per="scaler",
    says="{step} runs again and nothing has called `update()` on {scaler} in between, so it raises",
    fix=insert("{scaler}.update()", after=step),
)

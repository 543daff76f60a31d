"""A statement names a method and does not call it: Python looks it up, throws it away, and nothing happens."""

from loopcheck import Rule, mention, replace

rule = Rule(
    code="LC110",
    bug=mention,
    per="method",
    says="{mention} is not called: without parentheses the statement does nothing",
    fix=replace(mention, "{was}()"),
)

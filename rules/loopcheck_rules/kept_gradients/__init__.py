"""Gradients are overwritten with zeros and kept, where they could be given back until the next backward needs them."""

from loopcheck import Rule, backward, edit, keep, no, remove

rule = Rule(
    code="LP104",
    bug=keep >> no(edit) >> backward,
    group="speed",
    per="optimizer",
    at=keep,
    says="{keep} fills gradients with zeros, to which the next backward adds, and keeps their memory during the forward",
    fix=remove(keep, argument="set_to_none", instead_of="False").unsafe,
)

"""The memory that torch keeps for the next batch is given back to the GPU with every batch, to be asked for again."""

from loopcheck import Rule, again, remove, step, trim

rule = Rule(
    code="LP109",
    bug=step >> trim(each=True) >> again(step),
    group="speed",
    at=trim,
    says="{trim} gives memory back with every batch that the next one asks for again, and waits for the GPU each time",
    fix=remove(trim).unsafe,
)

"""A program that trains on a GPU computes every sample itself, and the GPU waits: its loader has no workers."""

from loopcheck import Rule, iterate, replace, serve

rule = Rule(
    code="LP102",
    bug=serve >> iterate(training=True),
    group="speed",
    per="loader",
    at=serve,
    unless=("sampler-and-shuffle",),
    says="{serve} has no workers: the process that trains computes each sample, and the GPU waits for it",
    fix=replace(serve, "2", argument="num_workers").unsafe,
)

"""A loader with workers has samples computed by processes of its own while the network trains on the batch before. Without, the
process that trains computes each sample when it asks for the batch, and does nothing else meanwhile.
"""

from loopcheck.prove import Run, claim, equals


@claim("samples of 64 that the training process computes itself", bad=equals(64), good=equals(0))
def own(run: Run) -> int:
    return int(run.stdout.partition("samples made by the process that trains: ")[2])

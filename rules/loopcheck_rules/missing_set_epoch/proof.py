"""DistributedSampler shuffles with a generator seeded by seed + epoch, so that all ranks agree on one permutation, and its epoch
stays 0 until `set_epoch` is called (PyTorch, `torch.utils.data.distributed.DistributedSampler`). Two real ranks run the scripts.
"""

from loopcheck.prove import Run, above, claim, equals

RANKS = 2


@claim("epochs 0 and 1 give a rank the same samples in the same order, on both ranks", bad=equals(True), good=equals(False))
def same_order(run: Run) -> bool:
    return all(rank.orders[0] == rank.orders[1] for rank in run.ranks)


@claim("different orders in 3 epochs", bad=equals(1), good=equals(3))
def orders(run: Run) -> int:
    return len({tuple(order) for order in run.orders})


@claim("samples that rank 0 ever sees, of 64", bad=equals(32), good=above(32))
def seen(run: Run) -> int:
    return len(set().union(*run.orders))

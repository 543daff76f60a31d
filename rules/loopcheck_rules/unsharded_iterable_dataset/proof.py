"""Each worker process has a copy of the data set and iterates over all of it (PyTorch, `torch.utils.data.IterableDataset`: "naive
multi-process data loading will often result in duplicated data"): an epoch of n samples has n for each worker.
"""

from loopcheck.prove import Run, claim, equals

SAMPLES, WORKERS = 16, 2


@claim("samples in an epoch, of a stream of 16", bad=equals(SAMPLES * WORKERS), good=equals(SAMPLES))
def seen(run: Run) -> int:
    return int(run.stdout.split()[0])


@claim("optimizer steps in an epoch", bad=equals(SAMPLES * WORKERS // 4), good=equals(SAMPLES // 4))
def steps(run: Run) -> int:
    return len(run.steps)

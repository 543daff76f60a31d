"""When garbage is collected: not while much is made that is kept."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def later() -> Iterator[None]:
    """Work without the collector, which goes through all that was made again and again and finds little: a fifth of the time.

    What is there in the end is old to it: else the next object that is made would have it look through all of that.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.freeze()
            gc.unfreeze()  # into the oldest generation
            gc.enable()

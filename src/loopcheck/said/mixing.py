"""What code says of the order of its data."""

from __future__ import annotations

import ast
from functools import lru_cache

from loopcheck.said import nodes, parsed
from loopcheck.words import words

_MIXING = frozenset({
    "GroupKFold", "GroupShuffleSplit", "KFold", "ShuffleSplit", "StratifiedKFold", "permutation", "randperm", "random_split",
    "sample", "shuffle", "shuffled", "train_test_split",
})  # fmt: skip
"""Functions that put samples in a random order, whole names."""
_IN_ORDER = frozenset({
    "audio", "bptt", "clip", "clips", "episode", "episodes", "frame", "frames", "language", "lm", "replay", "rollout", "sequence",
    "sequences", "sequential", "series", "speech", "stream", "temporal", "text", "time", "timeseries", "token", "tokens",
    "trajectory", "video", "videos", "window", "windows",
})  # fmt: skip
"""Words of data that may have to come in the order that it has."""


_MADE_UP = frozenset({"boring", "dummy", "fake", "mock", "random", "synthetic", "toy"})
"""Words of data that is drawn at random, and has no order."""


def in_order(name: str) -> bool:
    """Whether a data set is called like one whose samples follow on one another, or have no order at all."""
    return not words(name).isdisjoint(_IN_ORDER | _MADE_UP)


@lru_cache(maxsize=256)
def mixes(code: str) -> bool:
    """Whether code puts samples in a random order anywhere. Of what is no Python nothing is known."""
    return any(name in code for name in _MIXING) and (parsed(code) is None or any(map(_mixes, nodes(code))))


def _mixes(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in _MIXING
        case _:
            return False

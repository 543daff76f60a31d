"""What code says of who reads which part of a stream."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from loopcheck.said import parsed
from loopcheck.words import words

_APART = frozenset({
    "node", "nodes", "partition", "partitions", "process", "rank", "shard", "sharded", "sharding", "shards", "worker", "workers",
    "world",
})  # fmt: skip
"""Words of what gives each process a part of its own."""
_AT_RANDOM = frozenset({
    "choice", "choices", "generator", "normal", "permutation", "rand", "randint", "randn", "random", "randperm", "rng", "sample",
    "seed", "shuffle", "uniform",
})  # fmt: skip
"""Words of what differs between processes by itself."""
_HANDED_ON = frozenset(
    {"dataset", "datasets", "ds", "loader", "pipe", "source", "sources", "stream", "streams", "webdataset", "wds"}
)
"""Words of another stream, which may know of the processes."""
_SILENT = _APART | _AT_RANDOM | _HANDED_ON


@lru_cache(maxsize=256)
def hands_out_all(code: str, name: str) -> bool:
    """Whether a class of this code yields the same in each process, by itself and what it calls there. Of no Python nothing is
    known."""
    tree = parsed(code)
    if tree is None:
        return False
    known = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    if name not in known:
        return False
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        each = waiting.pop()
        if each in known and each not in seen:
            seen.add(each)
            named = {*_names(known[each])}
            if any(not words(said).isdisjoint(_SILENT) for said in named):
                return False
            waiting += named
    return True


def _names(node: ast.ClassDef | ast.FunctionDef) -> Iterator[str]:
    """The names in a definition, of a class not those of its bases; they may be of the file, and are looked into there."""
    bases = {id(base) for base in node.bases} if isinstance(node, ast.ClassDef) else set[int]()
    for each in ast.walk(node):
        match each:
            case ast.Name(id=said):
                if id(each) not in bases or not said.endswith("Dataset"):
                    yield said
            case ast.Attribute(attr=said) if id(each) not in bases:
                yield said
            case ast.arg(arg=said) | ast.keyword(arg=str(said)) | ast.Constant(value=str(said)):
                if not isinstance(each, ast.Constant) or said.isidentifier():
                    yield said

"""What code says of who reads which part of a stream."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
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
_OF_RECORDS = frozenset({"choice", "choices", "normal", "permutation", "process", "sample", "shuffle", "uniform"})
"""Those words of them that are also said of single records and of what is done with one. Of what is defined in sight, a variable
`sample`, a method `process`, they say nothing that its definition does not."""


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
    functions = {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}
    imported = _imported(tree)
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        each = waiting.pop()
        if each in known and each not in seen:
            seen.add(each)
            named = {*_names(known[each], functions)}
            if any(_tells(said, defined and said not in imported) for said, defined in named):
                return False
            waiting += [said for said, _ in named]
    return True


def _tells(name: str, defined: bool) -> bool:
    """Whether a name says that processes may differ. defined: what it stands for is in sight."""
    return not words(name).isdisjoint(_SILENT - _OF_RECORDS if defined else _SILENT)


def _names(node: ast.ClassDef | ast.FunctionDef, functions: Set[str]) -> Iterator[tuple[str, bool]]:
    """The names in a definition, of a class not those of its bases, and whether each is defined in sight; they may be of the
    file, and are looked into there."""
    bases = {id(base) for base in node.bases} if isinstance(node, ast.ClassDef) else set[int]()
    variables = {*_variables(node)}
    for each in ast.walk(node):
        match each:
            case ast.Name(id=said):
                if id(each) not in bases or not said.endswith("Dataset"):
                    yield said, said in variables or said in functions
            case ast.Attribute(value=ast.Name(id="self"), attr=said):
                yield said, said in functions
            case ast.Attribute(attr=said) if id(each) not in bases:
                yield said, False
            case ast.arg(arg=said):
                yield said, said in variables
            case ast.keyword(arg=str(said)) | ast.Constant(value=str(said)):
                if not isinstance(each, ast.Constant) or said.isidentifier():
                    yield said, False


def _variables(node: ast.ClassDef | ast.FunctionDef) -> Iterator[str]:
    """The variables and parameters of a definition, but for what a class is made with: that comes from outside, as it is."""
    for each in ast.walk(node):
        match each:
            case ast.FunctionDef(name=name, args=taken) if name != "__init__":
                yield from (one.arg for one in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs))
            case ast.Name(id=said, ctx=ast.Store()):
                yield said


def _imported(tree: ast.Module) -> set[str]:
    """What a file has of others, as it calls that."""
    imports = (each for each in ast.walk(tree) if isinstance(each, ast.Import | ast.ImportFrom))
    return {one.asname or one.name for each in imports for one in each.names}

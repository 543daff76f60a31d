"""The import that a new text needs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TypeAlias

import libcst as cst

from loopcheck.finding import TextEdit
from loopcheck.read.front.source import Source
from loopcheck.write.edits import Passage, put
from loopcheck.write.effects import bound
from loopcheck.write.statements import Statement, code, statements

_Import: TypeAlias = cst.Import | cst.ImportFrom


def import_edits(source: Source, requires: str, row: int) -> tuple[TextEdit, ...]:
    """The edit that adds an import among the others that stand above a row, which needs it; none where the file has it."""
    new = cst.parse_module(requires)
    if not requires or bound(new) <= bound(source.module):
        return ()
    top = statements(source, source.module)
    imports = [each for each in top if isinstance(each.node, (cst.Import, cst.ImportFrom)) and each.span.row < row]
    if not imports:
        side = "after" if source.module.get_docstring() is not None else "before"
        return (put(top[0], side, Passage.of(requires)),)
    node = statements(source, new)[0].node
    assert isinstance(node, (cst.Import, cst.ImportFrom))
    first = imports[0].position
    block = [each for each in imports if each.position - first == imports.index(each)]  # what comes after code comes late
    return (_among(block, node, requires),)


def _among(imports: Sequence[Statement], new: _Import, text: str) -> TextEdit:
    """After the last of its own kind that a formatter would put before it: what is Python's own stands first."""
    own = _key(new)
    keys = [_key(each.node) for each in imports if isinstance(each.node, (cst.Import, cst.ImportFrom))]
    near = [number for number, key in enumerate(keys) if key[0] == own[0] and (own[0] == 1 or key[3] == own[3])]
    before = [number for number in near if keys[number] <= own]
    if before:
        return put(imports[before[-1]], "after", Passage.of(text))
    if near:
        return put(imports[near[0]], "before", Passage.of(text))
    if own[0] == 1 and (foreign := [number for number, key in enumerate(keys) if key[0] > 1]) == [*range(len(keys))]:
        return put(imports[foreign[0]], "before", Passage.of(text + "\n"))
    return put(imports[-1], "after", Passage.of(text))


def _key(node: _Import) -> tuple[int, bool, str, str]:
    """The order in which imports stand: by where the module is from, whole modules first, by name. The last is its package."""
    module = node.names[0].name if isinstance(node, cst.Import) else node.module
    name = "." if module is None or (isinstance(node, cst.ImportFrom) and node.relative) else code(module)
    package = name.partition(".")[0]
    group = 0 if package == "__future__" else 1 if package in sys.stdlib_module_names else 2
    return group, isinstance(node, cst.ImportFrom), name, package

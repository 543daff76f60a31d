"""The import that a new text needs."""

from __future__ import annotations

import libcst as cst

from loopcheck.finding import TextEdit
from loopcheck.read.front.source import Source
from loopcheck.write.edits import Passage, put
from loopcheck.write.effects import bound
from loopcheck.write.statements import statements


def import_edits(source: Source, requires: str, row: int) -> tuple[TextEdit, ...]:
    """The edit that adds an import after the others that stand above a row, which needs it; none where the file has it."""
    if not requires or bound(cst.parse_module(requires)) <= bound(source.module):
        return ()
    top = statements(source, source.module)
    imports = [each for each in top if isinstance(each.node, (cst.Import, cst.ImportFrom)) and each.span.row < row]
    if imports:
        return (put(imports[-1], "after", Passage.of(requires)),)
    side = "after" if source.module.get_docstring() is not None else "before"
    return (put(top[0], side, Passage.of(requires)),)

"""A text's syntax tree, Python's own."""

from __future__ import annotations

import ast

from loopcheck.read.text import SourceError, parse, too_deep


def tree(text: str) -> ast.Module:
    """The tree of a text; of one newer than the running Python, the tree that a newer Python makes. Raises SourceError."""
    try:
        return parse(text)
    except SourceError as error:
        if error.code != "syntax":
            raise
        from loopcheck.read.front.from_cst import newer

        try:
            found = newer(text)
        except RecursionError:
            raise too_deep(1) from None
        if found is None:
            raise
        return found

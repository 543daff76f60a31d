"""The formats of a report. Every module of this package is one, found by its name and loaded when it is asked for.

Its `show` makes a report of a view, piece by piece; each piece is followed by a newline.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TypeAlias

from loopcheck.show.view import View

Show: TypeAlias = Callable[[View], Iterator[str]]


def names() -> list[str]:
    """All formats, as they are asked for: `json-lines` is the module `json_lines`."""
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__))


def load(name: str) -> Show:
    """The format of that name."""
    show: Show = import_module(f"{__name__}.{name.replace('-', '_')}").show
    return show

"""The entries of each file under its name, then the summary."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from loopcheck.printable import printable
from loopcheck.show.details import details, headline
from loopcheck.show.entry import Entry
from loopcheck.show.text import conclusion
from loopcheck.show.view import View


def show(view: View) -> Iterator[str]:
    """A block for each file in which something was found."""
    for path, found in groupby(view.entries, key=lambda entry: entry.primary.path):
        yield "\n".join([f"{printable(path)}:", *(line for entry in found for line in _lines(entry))]) + "\n"
    yield conclusion(view)


def _lines(entry: Entry) -> Iterator[str]:
    span = entry.primary
    cell = f"cell {span.cell}:" if span.cell else ""
    yield f"  {cell}{span.row}:{span.column} {headline(entry)}"
    yield from (f"      {line}" for line in details(entry))

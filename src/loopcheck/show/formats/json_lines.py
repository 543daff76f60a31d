"""JSON, an object on each line: the same ones as in the list of the format `json`."""

from __future__ import annotations

import json
from collections.abc import Iterator

from loopcheck.show.formats.json import item
from loopcheck.show.view import View


def show(view: View) -> Iterator[str]:
    """One line for each entry."""
    for entry in view.entries:
        yield json.dumps(item(entry))

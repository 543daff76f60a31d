"""Markdown, as for the summary of a CI job: a list, each entry with all there is to say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from loopcheck.printable import printable
from loopcheck.show.details import details
from loopcheck.show.entry import Entry
from loopcheck.show.frame import place
from loopcheck.show.text import conclusion
from loopcheck.show.view import View

_SIGNS = re.compile(r"([\\`*_{}\[\]()#+\-.!|~:@$^=])")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def show(view: View) -> Iterator[str]:
    """The summary, then an item for each entry."""
    yield f"### loopcheck\n\n{plain(conclusion(view))}"
    if view.entries:
        yield ""
    for entry in view.entries:
        yield "\n".join(_item(entry))


def _item(entry: Entry) -> Iterator[str]:
    where = _code(place(entry.primary))
    yield f"- **{plain(entry.severity)} {entry.code}** {plain(entry.name)}: {where} {_sentence(entry.message)}"
    yield from (f"  - {_sentence(line)}" for line in details(entry))


def _sentence(text: str) -> str:
    """A sentence, with code where it has backquotes in pairs."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return plain(text)
    return "".join(_code(part) if number % 2 else plain(part) for number, part in enumerate(parts))


def _code(text: str) -> str:
    return f"<code>{plain(text)}</code>"


def plain(text: str) -> str:
    """Text that is shown as it is, whatever signs are in it."""
    return _SIGNS.sub(r"\\\1", printable(text)).translate(_ENTITIES)

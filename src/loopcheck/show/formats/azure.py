"""Issues for Azure Pipelines: logging commands, one line for each entry."""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck.printable import printable
from loopcheck.show.details import in_one
from loopcheck.show.entry import Entry
from loopcheck.show.view import View


def show(view: View) -> Iterator[str]:
    """One logging command for every entry of every report."""
    for entry in view.entries:
        yield _command(entry, view)


def _command(entry: Entry, view: View) -> str:
    kind = "error" if entry.level == "error" else "warning"
    properties = {
        "type": kind,
        "sourcepath": entry.primary.path,
        "linenumber": str(view.line(entry.primary)),
        "columnnumber": str(1 if entry.primary.cell else entry.primary.column),
        "code": entry.code,
    }
    told = "".join(f"{name}={_property(value)};" for name, value in properties.items())
    return f"##vso[task.logissue {told}]{_data(f'{entry.name}: {in_one(entry)}')}"


def _data(text: str) -> str:
    return printable(text).replace("%", "%AZP25")


def _property(text: str) -> str:
    return _data(text).replace(";", "%3B").replace("]", "%5D")

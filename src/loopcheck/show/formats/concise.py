"""One line for each entry, which editors and `grep` can go by, then the summary."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from loopcheck.show.details import details, headline
from loopcheck.show.frame import place
from loopcheck.show.text import conclusion
from loopcheck.show.view import View


def show(view: View) -> Iterator[str]:
    """`train.py:27:9: bug[LC101] clip-after-step: … (step at train.py:26:9; …)`, but not what holds for all of a rule."""
    for entry in view.entries:
        told = "; ".join(details(replace(entry, title="")))
        yield f"{place(entry.primary)}: {headline(entry)}" + (f" ({told})" if told else "")
    yield conclusion(view)

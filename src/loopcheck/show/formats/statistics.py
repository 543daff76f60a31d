"""How often each rule found something, the most frequent first, then the summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from loopcheck.show.text import conclusion
from loopcheck.show.view import View


def show(view: View) -> Iterator[str]:
    """`12  LC601  missing-eval-mode (bug)`."""
    found = Counter((entry.severity, entry.code, entry.name) for entry in view.entries)
    width = max((len(str(count)) for count in found.values()), default=0)
    for (severity, code, name), count in sorted(found.items(), key=lambda each: (-each[1], each[0][1:])):
        yield f"{count:>{width}}  {code}  {name} ({severity})"
    if found:
        yield ""
    yield conclusion(view)

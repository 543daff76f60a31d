"""All that there is to say of an entry beside its message, in words: for formats that have one place for all of it."""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck.fix import SAFE, UNSAFE
from loopcheck.printable import printable
from loopcheck.show.entry import Entry
from loopcheck.show.frame import place

WAYS = {
    SAFE: "safe: run with --fix",
    UNSAFE: "changes the result: look at it with --unsafe-fixes --diff",
}


def headline(entry: Entry) -> str:
    """`bug[LC101] clip-after-step: …`, on one line."""
    return printable(f"{entry.severity}[{entry.code}] {entry.name}: {entry.message}")


def details(entry: Entry) -> Iterator[str]:
    """The other places that have a part in it, how sure it is and why, and what to do, each on one line."""
    for note in entry.related:
        yield printable(f"{note.text} at {place(note.span)}")
    for word, text in remarks(entry):
        yield printable(f"{word}: {text}")


def remarks(entry: Entry) -> Iterator[tuple[str, str]]:
    """What is said under the code, each by what it is about."""
    if entry.away:
        yield "place", entry.away
    if entry.title:
        yield "why", entry.title
    if entry.run:
        yield "run", entry.run
    if entry.because:
        yield "confidence", f"{entry.confidence}, for {entry.because}"
    if entry.repair:
        yield "fix", f"{entry.repair.message} ({WAYS.get(entry.repair.applicability, 'by hand')})"
    elif entry.unmended and not entry.away:
        yield "fix", f"by hand, for {entry.unmended}"


def in_one(entry: Entry) -> str:
    """The message with all of that, on one line."""
    return f"{printable(entry.message)} ({'; '.join(told)})" if (told := [*details(entry)]) else printable(entry.message)

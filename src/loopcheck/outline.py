"""What is understood of a file: the entries of the program in which a model is trained or evaluated, as they are judged."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from loopcheck.check import Unreadable, bytes_of, read_source
from loopcheck.finding import Problem, Span
from loopcheck.job import crash
from loopcheck.loop import Frame, events
from loopcheck.read.triage import worth_reading

_WORK = {"forward", "backward", "step"}


@dataclass(frozen=True)
class Outline:
    """Of one file: the entries worth showing, and why it or a part of it could not be read."""

    path: str
    entries: tuple[Frame, ...] = ()
    problems: tuple[Problem, ...] = ()


def outline(path: Path) -> Outline:
    """Read a file. What cannot be read, and an error of ours, is a problem of this file alone."""
    name = str(path)
    try:
        data = bytes_of(path, name)
        if not worth_reading(data):
            return Outline(name)
        source, entries = read_source(data, name)
        return Outline(name, tuple(filter(_works, entries)), source.problems)
    except Unreadable as error:
        return Outline(name, problems=(error.problem,))
    except Exception as error:
        return Outline(name, problems=(Problem("internal", crash(error), Span(name, 1, 1, 1, 1)),))


def _works(entry: Frame) -> bool:
    return any(event.verb in _WORK for event in events(entry))

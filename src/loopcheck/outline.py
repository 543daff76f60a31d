"""What is understood of a file: the entries of the program in which a model is trained or evaluated, as they are judged."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from loopcheck.check import Unreadable, bytes_of, read_source
from loopcheck.finding import Problem, Span
from loopcheck.job import Job, Outcome, cores, crash, work
from loopcheck.loop import Frame, events
from loopcheck.read.library import Library
from loopcheck.read.triage import worth_reading
from loopcheck.structs import dataclass

_WORK = {"forward", "backward", "step"}


@dataclass(frozen=True)
class Outline:
    """Of one file: the entries worth showing, and why it or a part of it could not be read."""

    path: str
    entries: tuple[Frame, ...] = ()
    problems: tuple[Problem, ...] = ()


class Reading:
    """Files that are read once for all that is asked of them, each with its project around it."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self._library = Library(paths)

    def outlines(self) -> list[Outline]:
        """What is understood of them."""
        return [_outline(path, self._library) for path in self._paths]

    def outcomes(self, job: Job) -> list[Outcome]:
        """What comes of them."""
        return work(self._paths, job, jobs=cores(), library=self._library)


def _outline(path: Path, library: Library) -> Outline:
    """What cannot be read, and an error of ours, is a problem of this file alone."""
    name = str(path)
    try:
        data = bytes_of(path, name)
        if not worth_reading(data):
            return Outline(name)
        program = read_source(data, name, library)
        here = partial(_works_in, program.source.path)
        called = [entry for caller in program.callers for entry in filter(here, caller.entries)]
        return Outline(name, (*filter(_works, program.entries), *called), program.source.problems)
    except Unreadable as error:
        return Outline(name, problems=(error.problem,))
    except Exception as error:
        return Outline(name, problems=(Problem("internal", crash(error), Span(name, 1, 1, 1, 1)),))


def _works(entry: Frame) -> bool:
    return any(event.verb in _WORK for event in events(entry))


def _works_in(path: str, entry: Frame) -> bool:
    """Whether a model is at work in a file that the entry leads to."""
    spans = (getattr(event.at, "span", None) for event in events(entry) if event.verb in _WORK)
    return any(span is not None and span.path == path for span in spans)

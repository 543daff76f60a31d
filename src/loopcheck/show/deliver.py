"""A run as it was asked for: on the terminal in one format, and in files in others."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import click

from loopcheck import excerpt
from loopcheck.misuse import Misuse
from loopcheck.show import formats
from loopcheck.show.frame import Lines
from loopcheck.show.links import follows
from loopcheck.show.view import View


def show(view: View, name: str, beside: bool) -> None:
    """On the terminal. beside: on stderr, for stdout is somebody else's."""
    view = replace(view, links=follows(sys.stderr if beside else sys.stdout))
    for piece in formats.load(name)(view):
        click.echo(piece, err=beside)


def write(view: View, name: str, file: Path) -> None:
    """A report in a file, without colours. What was seen on the terminal is told again."""
    pieces = formats.load(name)(replace(view, shown=frozenset()))
    put(file, "".join(f"{click.unstyle(piece)}\n" for piece in pieces))


def put(file: Path, text: str) -> None:
    """A text in a file. Raises Misuse where it cannot be written."""
    try:
        file.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise Misuse(f"{file} cannot be written: {error.strerror}") from None


def lines() -> Lines:
    """The lines of files as they are on disk, each read once."""
    read = cache(excerpt.lines)
    return lambda span: read(span.path, span.cell)


def outputs(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> tuple[tuple[str, Path], ...]:
    """Formats and the files that they go to, as a command line names them."""
    pairs = [value.partition(":") for value in values]
    for name, _, file in pairs:
        if name not in formats.names() or not file:
            raise click.BadParameter(f"{name!r} is to be FORMAT:FILE, with a format of {', '.join(formats.names())}")
        if Path(file).is_dir() or not Path(file).parent.is_dir():  # told before a run whose report would be lost
            raise click.BadParameter(f"{file} cannot be written: it is a folder, or in none")
    return tuple((name, Path(file)) for name, _, file in pairs)

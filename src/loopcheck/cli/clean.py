"""`loopcheck clean`: remove what earlier runs have left on disk."""

from __future__ import annotations

import os
from pathlib import Path

import click

from loopcheck import cache, config


@click.command(name="clean")
@click.option("--cache-dir", type=click.Path(path_type=Path), help="The folder.  [default: the one that `check` uses here]")
def command(cache_dir: Path | None) -> None:
    """Remove the cache of this project; the next run judges every file anew."""
    folder = cache_dir or config.load(Path.cwd()).cache
    removed = cache.clean(folder)
    name = os.path.relpath(folder)
    click.echo(f"Removed {name}." if removed else f"There is no cache at {name}.")

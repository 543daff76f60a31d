"""`loopcheck schema`: what settings may be, for editors."""

from __future__ import annotations

import json

import click

from loopcheck import config


@click.command(name="schema")
def command() -> None:
    """Print a JSON schema of loopcheck.toml, which is also one of the table `tool.loopcheck` in pyproject.toml."""
    click.echo(json.dumps(config.schema(), indent=2))

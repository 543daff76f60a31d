"""`loopcheck rules`: every installed rule."""

from __future__ import annotations

import click

from loopcheck import packs


@click.command(name="rules")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(output_format: str) -> None:
    """List every installed rule: code, name, group, and what it finds."""
    from loopcheck.show import catalogue

    rules = packs.rules()
    click.echo(catalogue.as_json(rules) if output_format == "json" else catalogue.table(rules))

"""`loopcheck explain RULE`: all there is to know about a rule."""

from __future__ import annotations

import click

from loopcheck import cli, select


@click.command(name="explain")
@click.argument("names", metavar="RULE...", nargs=-1, required=True)
def command(names: tuple[str, ...]) -> None:
    """Say what a rule finds, why it matters and how it is mended. RULE is a name or a code."""
    from loopcheck.show import catalogue

    rules = cli.installed()
    try:
        asked = [rule for name in names for rule in select.fitting(rules, name)]
    except select.UnknownRule as error:
        raise cli.WrongUse(str(error)) from None
    click.echo("\n\n".join(catalogue.page(rule) for rule in asked))

"""`loopcheck explain RULE`: all there is to know about a rule."""

from __future__ import annotations

import click

from loopcheck import cli, packs, select


@click.command(name="explain")
@click.argument("names", metavar="RULE...", nargs=-1, required=True, shell_complete=cli.rule_names)
def command(names: tuple[str, ...]) -> None:
    """Say what a rule finds, why it matters and how it is mended. RULE is a name or a code."""
    from loopcheck.show import page

    rules = (*packs.rules(), *packs.observed())
    asked = [rule for name in names for rule in select.fitting(rules, name)]
    click.echo("\n\n".join(page.text(rule) for rule in asked))

"""`loopcheck prove [RULE...]`: run rules' scripts and measure what theory says of them."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING

import click

from loopcheck import cli, measured, packs, select
from loopcheck.misuse import Misuse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from loopcheck.measured import Measured
    from loopcheck.proving import Shown
    from loopcheck.rule import Rule

FORMATS = ("text", "json", "markdown", "html")


@click.command(name="prove")
@click.argument("names", metavar="[RULE...]", nargs=-1, shell_complete=cli.rule_names)
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
@click.option("--record", is_flag=True, help="Keep what is measured beside the rule, for `loopcheck explain` to show.")
@click.option("--output-format", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), help="Prove so many rules at a time.  [default: as many as there are cores]")
@click.pass_context
def command(
    context: click.Context, /, names: tuple[str, ...], device: str, record: bool, output_format: str, jobs: int | None
) -> None:
    """Run the bad, the good and the mended script of each RULE and measure what theory predicts.

    Without a RULE: of every installed one, with the five verdicts on its folder, and a table of all in the end. Needs torch. Exit
    code: 0 every claim holds, and with the torch that measured what is kept the numbers are the same; 1 not so; 2 wrong use.
    """
    try:
        from loopcheck.prove import ProofError
        from loopcheck.proving import shown
        from loopcheck.show.progress import Bar
    except ModuleNotFoundError as error:
        if error.name not in ("torch", "numpy"):
            raise
        raise Misuse(f"proofs run training scripts and need {error.name}: pip install 'loopcheck[prove]'") from None

    rules = select.choose(packs.rules(), names or [select.ALL])
    bar = Bar(len(rules), sys.stderr, things="rules")
    known: dict[int, Shown] = {}
    try:
        with closing(shown(rules, device, whole=not names, jobs=jobs)) as answers:
            for number, each in answers:
                known[number] = each
                bar.draw(len(known))
    except ProofError as error:
        raise Misuse(str(error)) from None
    finally:
        bar.erase()
    every = [known[number] for number in range(len(rules))]
    kept = {each.proof.rule.code: _kept(each.proof.rule, each.kept, record) for each in every}
    _show(every, {code: stale for code, (stale, _) in kept.items()}, output_format)
    holds = all(each.holds for each in every) and all(alike for _, alike in kept.values())
    context.exit(cli.OK if holds else cli.FOUND)


def _show(every: Sequence[Shown], stale: dict[str, list[str]], output_format: str) -> None:
    from loopcheck.show import proof

    if output_format == "json":
        click.echo(proof.as_json(every))
    elif output_format == "markdown":
        click.echo(proof.as_markdown(every))
    elif output_format == "html":
        from loopcheck.show import proof_page

        click.echo(proof_page.page(every), nl=False)
    else:
        for each in every:
            click.echo("\n".join([proof.show(each.proof), *stale[each.proof.rule.code], *each.complaints]))
        if len(every) > 1:
            click.echo("\n" + "\n".join(proof.summary(every)))


def _kept(rule: Rule, now: Measured | None, record: bool) -> tuple[list[str], bool]:
    """What was measured is kept, or told where it is not what is kept; and whether that may be: another torch, other numbers."""
    if now is None:
        return [], True
    if record:
        try:
            measured.save(rule.folder, now)
        except OSError as error:
            raise Misuse(f"{rule.folder / measured.FILE} cannot be written: {error.strerror}") from None
        return [], True
    kept = measured.load(rule.folder).get(now.device)
    if kept is None:
        return [], True
    stale = [f"  kept of {kept.where}: {each}" for each in measured.off(kept, now)]
    return stale, not stale or kept.torch != now.torch

"""`loopcheck prove RULE...`: run a rule's scripts and measure what theory says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loopcheck import cli, measured, packs, select
from loopcheck.misuse import Misuse

if TYPE_CHECKING:
    from loopcheck.measured import Measured
    from loopcheck.rule import Rule


@click.command(name="prove")
@click.argument("names", metavar="RULE...", nargs=-1, shell_complete=cli.rule_names)
@click.option("--all", "everything", is_flag=True, help="Prove every installed rule.")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
@click.option("--record", is_flag=True, help="Keep what is measured beside the rule, for `loopcheck explain` to show.")
@click.pass_context
def command(context: click.Context, /, names: tuple[str, ...], everything: bool, device: str, record: bool) -> None:
    """Run the bad, the good and the mended script of each RULE and measure what theory predicts.

    Needs torch. Exit code: 0 every claim holds, and with the torch that measured what is kept the numbers are the same; 1 not so;
    2 wrong use.
    """
    try:
        from loopcheck.prove import ProofError, kept_of, prove
        from loopcheck.show import proof
    except ModuleNotFoundError as error:
        if error.name not in ("torch", "numpy"):
            raise
        raise Misuse(f"proofs run training scripts and need {error.name}: pip install 'loopcheck[prove]'") from None

    if not names and not everything:
        raise click.UsageError("name a rule, or say --all")
    holds = True
    for rule in select.choose(packs.rules(), [select.ALL] if everything else names):
        try:
            proved = prove(rule, device, _mended(rule))
        except ProofError as error:
            raise Misuse(str(error)) from None
        click.echo(proof.show(proved))
        holds = holds and proved.holds
        if proved.rows:
            holds = _kept(rule, kept_of(proved), record) and holds
    context.exit(cli.OK if holds else cli.FOUND)


def _kept(rule: Rule, now: Measured, record: bool) -> bool:
    """Keep what was measured, or compare it with what is kept; whether the two may differ as they do."""
    if record:
        try:
            measured.save(rule.folder, now)
        except OSError as error:
            raise Misuse(f"{rule.folder / measured.FILE} cannot be written: {error.strerror}") from None
        return True
    kept = measured.load(rule.folder).get(now.device)
    stale = [*measured.off(kept, now)] if kept else []
    for each in stale:
        click.echo(f"  kept of {kept.where if kept else ''}: {each}")
    return not stale or kept is None or kept.torch != now.torch


def _mended(rule: Rule) -> str | None:
    """The bad script as the rule's fix leaves it; None where it has none that can be carried out."""
    from loopcheck.write.apply import mend

    bad = rule.folder / "bad.py"
    if rule.fix is None or not bad.is_file():
        return None
    mended = mend(bad.read_bytes(), str(bad), [rule], unsafe=True)
    return mended.data.decode() if mended.applied else None

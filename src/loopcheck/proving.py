"""Proofs of many rules at a time, each in a process beside others; of the whole catalogue with the five verdicts on each."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from loopcheck import packs
from loopcheck.job import cores
from loopcheck.measured import Measured
from loopcheck.pool import Died, spread
from loopcheck.prove import Proof, ProofError, Run, kept_of, prove
from loopcheck.record import RecordError, record
from loopcheck.rule import Rule
from loopcheck.structs import dataclass, field
from loopcheck.testing import VERDICTS, Runs, outcome


@dataclass(frozen=True)
class Shown:
    """What is shown of a rule: its proof, and by their names the verdicts that were asked for, each in a word.

    kept: what of the proof can be kept beside the rule. complaints: what is wrong with it, for who mends it.
    """

    proof: Proof
    verdicts: Mapping[str, str] = field(default_factory=dict)
    kept: Measured | None = None
    complaints: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return self.proof.holds and "FAILS" not in self.verdicts.values() and not self.complaints


def shown(
    rules: Sequence[Rule], device: str, whole: bool = False, jobs: int | None = None
) -> Generator[tuple[int, Shown], None, None]:
    """What is shown of each rule, by its place among them, in whatever order they come. whole: with the five verdicts.

    Raises ProofError where a rule has no proof.
    """
    workers = min(jobs or cores(), len(rules))
    asked = [rule.code for rule in rules], device, whole
    if workers < 2:
        do = _prover(*asked)
        answers: Any = ((number, do(number)) for number in range(len(rules)))
    else:
        answers = spread(_prover, asked, [[number] for number in range(len(rules))], workers)
    with closing(answers):
        for number, answer in answers:
            if isinstance(answer, ProofError):
                raise answer
            if isinstance(answer, Died):
                yield number, Shown(Proof(rules[number], device), complaints=(f"the process that proved it ended with {answer}",))
            else:
                told, *rest = answer
                yield number, Shown(Proof(rules[number], device, **told), *rest)


def _prover(codes: Sequence[str], device: str, whole: bool) -> Callable[[int], Any]:
    """What proves rules by their numbers, and answers with data that another process can be given."""
    rules = {rule.code: rule for rule in packs.rules()}

    def do(number: int) -> Any:
        rule = rules[codes[number]]
        try:
            return _plain(_shown(rule, device, whole))
        except RecordError as error:
            return _plain(Shown(Proof(rule, device), complaints=(str(error),)))
        except ProofError as error:
            return error

    return do


def _shown(rule: Rule, device: str, whole: bool) -> Shown:
    with Runs() as runs:

        def play(script: Path, ranks: int) -> Run:
            kept = device == "cpu" and script.parent == rule.folder
            return runs.of(script, ranks) if kept else record(script, device=device, ranks=ranks, measure=True)

        proof = prove(rule, device, _mended(rule), play)
        complaints: list[str] = []
        verdicts = {name: outcome(name, rule, runs, complaints) for name in VERDICTS} if whole else {}
    return Shown(proof, verdicts, kept_of(proof) if proof.rows else None, tuple(complaints))


def _plain(made: Shown) -> tuple[Any, ...]:
    told = {name: getattr(made.proof, name) for name in ("rows", "repaired", "skipped", "tells", "curve")}
    return told, made.verdicts, made.kept, made.complaints


def _mended(rule: Rule) -> str | None:
    """The bad script as the rule's fix leaves it; None where it has none that can be carried out."""
    from loopcheck.write.apply import mend

    bad = rule.folder / "bad.py"
    if rule.fix is None or not bad.is_file():
        return None
    mended = mend(bad.read_bytes(), str(bad), [rule], unsafe=True)
    return mended.data.decode() if mended.applied else None

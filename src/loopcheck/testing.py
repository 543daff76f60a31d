"""Five verdicts on a rule folder, for the built-in rules and for anybody's.

    lint    the static judge reports exactly the lines marked `# bug`, in every bad*.py and good*.py
    run     the run-time judge, on the recorded runs of these scripts, reports the same lines
    fix     the fix makes of bad.py what good.py is, byte for byte, and leaves nothing to report; every bad*.py, mended by safe
            fixes alone, runs to its end with nothing to report, by the same numbers to the same weights as its twin: the good*.py
            of its name, or what a person has written into twins.txt
    proof   the claims of proof.py hold, and measured in the bad script the good one's fail; proof.json says the same, if any
    text    what a terminal shows of bad.py is bad.txt

Each raises AssertionError with what differs. A test of one's own pack:

    @pytest.mark.parametrize("verdict", testing.VERDICTS)
    @pytest.mark.parametrize("rule", packs.rules(), ids=lambda rule: rule.name)
    def test_rule(rule, verdict, runs):
        testing.VERDICTS[verdict](rule, runs)

`python -m loopcheck.testing [RULE ...]` prints all verdicts in a table.
"""

from __future__ import annotations

import ast
import difflib
import os
import re
import sys
import tempfile
import tokenize
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from types import TracebackType

import click

from loopcheck import examples, excerpt, packs, prove, record, select
from loopcheck.bug import glossary
from loopcheck.check import check_source
from loopcheck.examples import unmarked
from loopcheck.fix import DISPLAY
from loopcheck.measured import Measured, load, off
from loopcheck.rule import Rule
from loopcheck.show.formats import full
from loopcheck.show.view import View
from loopcheck.write.apply import mend

Mark = tuple[str, int]
"""A rule's name and the first line of a statement."""

_MARK = re.compile(r"#\s*bug(?:: (?P<names>[\w, -]+))?$")


class Skipped(Exception):
    """A verdict that cannot be had here, and why."""


class Runs:
    """Recorded runs of scripts on the CPU, measured. Each script is run once, however many verdicts ask for it."""

    def __init__(self) -> None:
        self._known: dict[Path, record.Run] = {}
        self._open = ExitStack()
        self._nursery: record.Nursery | None = None

    def __enter__(self) -> Runs:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._open.close()

    def of(self, script: Path, ranks: int = 1) -> record.Run:
        """The script's run; that of rank 0 where there are several."""
        if script not in self._known:
            self._known[script] = self._record(script, ranks)
        return self._known[script]

    def of_text(self, script: Path, data: bytes, ranks: int = 1) -> record.Run:
        """The run of what a script could be instead, under its name."""
        folder = Path(self._open.enter_context(tempfile.TemporaryDirectory()))
        other = folder / script.name
        other.write_bytes(data)
        return self._record(other, ranks)

    def _record(self, script: Path, ranks: int) -> record.Run:
        if not hasattr(os, "fork"):
            return record.record(script, device="cpu", ranks=ranks, measure=True)
        if self._nursery is None:
            self._nursery = self._open.enter_context(record.Nursery(device="cpu", measure=True))
        return self._nursery.record(script, ranks=ranks)


def lint(rule: Rule, runs: Runs) -> None:
    """The static judge."""
    for script in scripts(rule):
        lint_script(rule, script)


def lint_script(rule: Rule, script: Path) -> None:
    """The static judge, of one script."""
    _compare(script, linted(script, script.read_bytes()), marks(script, rule.name))


def run(rule: Rule, runs: Runs) -> None:
    """The run-time judge."""
    ranks = _ranks(rule)
    for script in scripts(rule):
        ran = runs.of(script, ranks)
        _compare(script, audited(ran).get(script, set()), marks(script, rule.name))
        assert ran.raised is None or script.name.startswith("bad"), f"{script} raised {ran.raised}"


def fix(rule: Rule, runs: Runs) -> None:
    """The repair."""
    if rule.fix is None or rule.fix.applicability == DISPLAY:
        raise Skipped("a person decides")
    bad, good = rule.folder / "bad.py", rule.folder / "good.py"
    mended = mend(unmarked(bad.read_bytes()), str(bad), packs.rules(), unsafe=True)
    assert not mended.withdrawn, f"{bad}: {mended.withdrawn[0].reason}"
    difference = difflib.unified_diff(
        mended.data.decode().splitlines(keepends=True), good.read_text().splitlines(keepends=True), "bad.py, mended", "good.py"
    )
    assert mended.data == good.read_bytes(), "".join(difference)
    assert not linted(good, mended.data)
    for script in scripts(rule):
        if script.name.startswith("bad"):
            _runs_mended(rule, script, runs)


def _runs_mended(rule: Rule, script: Path, runs: Runs) -> None:
    """A bad script, mended without anybody's looking, does what a person would have made it do."""
    mended = mend(unmarked(script.read_bytes()), str(script), packs.rules())
    assert not mended.withdrawn, f"{script}: {mended.withdrawn[0].reason}"
    if not mended.applied:
        assert script.name not in examples.twins(rule.folder), f"twins.txt: no safe fix mends {script.name}"
        return
    twin = examples.twin(script)
    assert twin is not None, f"{script}: safe fixes mend it, and neither a good script of its name nor twins.txt says into what"
    good = script.with_name(script.name.replace("bad", "good", 1))
    if good.is_file() and twin == mended.data:
        return
    ran = runs.of_text(script, mended.data, _ranks(rule))
    left = {finding.rule.name for finding in mended.report.findings}
    said = {name for marks in audited(ran).values() for name, _ in marks} - left
    assert not said, f"{script}: {', '.join(sorted(said))} in the run of what is mended"
    assert left or ran.raised is None, f"{script}: mended, it raises {ran.raised}"
    if twin != mended.data:
        meant = runs.of(good, _ranks(rule)) if good.is_file() else runs.of_text(script, twin, _ranks(rule))
        assert prove.same_numbers(ran, meant), f"{script}: mended, it has other numbers than its twin"


def measured(rule: Rule, runs: Runs) -> list[prove.Row]:
    """What a rule's proof measures on the CPU. Raises Skipped where it cannot be run there."""
    module = prove.load(rule)
    if reason := prove.unprovable(module, "cpu"):
        raise Skipped(reason)
    return prove.evaluate(module, "cpu", *(runs.of(rule.folder / name, _ranks(rule)) for name in ("bad.py", "good.py")))


def proof(rule: Rule, runs: Runs) -> None:
    """The measurements."""
    rows = measured(rule, runs)
    for row in rows:
        assert row.holds, (
            f"{row.quantity}: bad {row.bad_measured}, should be {row.bad_theory}; "
            f"good {row.good_measured}, should be {row.good_theory} (within {row.within:g})"
        )
    bad, good = (runs.of(rule.folder / name, _ranks(rule)) for name in ("bad.py", "good.py"))
    assert prove.spoiled(prove.load(rule), bad), "what is claimed of the good script holds of the bad one too: it proves nothing"
    if kept := load(rule.folder).get("cpu"):
        stale = [*off(kept, Measured("cpu", "", "", tuple(rows), kept.repaired, prove.tells(bad, good)))]
        assert not stale, f"run `loopcheck prove {rule.name} --record`: {'; '.join(stale)}"


def text(rule: Rule, runs: Runs) -> None:
    """The snapshot."""
    snapshot = rule.folder / "bad.txt"
    assert snapshot.is_file(), f"{snapshot} is missing: run pytest with --snapshot-update"
    assert rendered(rule) == snapshot.read_text(encoding="utf-8")


VERDICTS: dict[str, Callable[[Rule, Runs], None]] = {"lint": lint, "run": run, "fix": fix, "proof": proof, "text": text}


def scripts(rule: Rule) -> list[Path]:
    """The rule's bad and good scripts."""
    return sorted(path for path in rule.folder.glob("*.py") if path.name.startswith(("bad", "good")))


def marks(script: Path, name: str = "") -> set[Mark]:
    """What a script's comments say is wrong: `# bug` where the rule is known, else `# bug: name[, name]`."""
    first = _statements(script)
    found = set()
    with tokenize.open(script) as stream:
        for lexeme in tokenize.generate_tokens(stream.readline):
            if lexeme.type == tokenize.COMMENT and (mark := _MARK.search(lexeme.string)):
                names = mark["names"].split(",") if mark["names"] else [name]
                found |= {(each.strip(), first(lexeme.start[0])) for each in names}
    return found


def linted(script: Path, data: bytes) -> set[Mark]:
    """What the static judge says of a script's bytes, by all installed rules."""
    report = check_source(data, str(script), packs.rules())
    assert not report.problems, f"{script}: {report.problems[0].message}"
    first = _statements(script)
    return {(finding.rule.name, first(finding.primary.row)) for finding in report.findings}


def audited(run: record.Run) -> dict[Path, set[Mark]]:
    """What the run-time judge says of a run, on any rank, by all installed rules: the marks of each file."""
    found: dict[Path, set[Mark]] = {}
    for rank in run.ranks:
        for event in rank.trace:
            strange = event.facts.keys() - glossary[event.verb].facts.keys()
            assert not strange, f"the glossary (loopcheck.verbs) has no {', '.join(sorted(strange))} of {event.verb!r}"
        for rule, verdict in record.judge(packs.rules(), rank.trace):
            at = rule.primary(verdict.witness).place
            assert isinstance(at, record.Site), f"{rule.name} points at {at.text}, which is no place in the program"
            file = Path(at.file)
            found.setdefault(file, set()).add((rule.name, _statements(file)(at.line)))
    return found


def rendered(rule: Rule) -> str:
    """What a terminal shows of the rule's bad script, without colours."""
    bad = rule.folder / "bad.py"
    report = check_source(bad.read_bytes(), bad.name, [rule])
    shown = full.show(View([report], lambda span: excerpt.lines(str(rule.folder / span.path)), excerpt.row))
    return click.unstyle("\n".join(shown)) + "\n"


def _compare(script: Path, found: Iterable[Mark], marked: Iterable[Mark]) -> None:
    surplus, missing = set(found) - set(marked), set(marked) - set(found)
    complaints = [f"{script}:{line}: {name} is reported and not marked" for name, line in sorted(surplus)]
    complaints += [f"{script}:{line}: {name} is marked and not reported" for name, line in sorted(missing)]
    assert not complaints, "\n".join(complaints)


def _ranks(rule: Rule) -> int:
    return int(getattr(prove.load(rule), "RANKS", 1))


@cache
def _statements(script: Path) -> Callable[[int], int]:
    """From a line to the first one of its statement, or of the header of a compound one."""
    first: dict[int, int] = {}
    for node in ast.walk(ast.parse(script.read_bytes())):
        if isinstance(node, ast.stmt) and node.end_lineno:
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno
            for line in range(node.lineno, end + 1):
                first[line] = max(first.get(line, 0), node.lineno)
    return lambda line: first.get(line, line)


def table(rules: Sequence[Rule]) -> bool:
    """Print every verdict on every rule, as it comes; whether all are good."""
    width = max(len(rule.name) for rule in rules)
    complaints: list[str] = []
    print(" " * width, *(f"{verdict:7}" for verdict in VERDICTS))
    with Runs() as runs:
        for rule in rules:
            print(f"{rule.name:{width}}", end="", flush=True)
            for name in VERDICTS:
                print(f" {outcome(name, rule, runs, complaints):7}", end="", flush=True)
            print()
    print(*complaints, sep="\n")
    return not complaints


def outcome(name: str, rule: Rule, runs: Runs, complaints: list[str]) -> str:
    """A verdict in a word: `ok`, `FAILS`, or `-` where it cannot be had here. What is wrong is added to the complaints."""
    try:
        VERDICTS[name](rule, runs)
    except Skipped:
        return "-"
    except (AssertionError, ValueError, prove.ProofError, record.RecordError, OSError) as error:
        complaints.append(f"\n{rule.name}, {name}: {error}")
        return "FAILS"
    return "ok"


if __name__ == "__main__":
    chosen = select.choose(packs.rules(), sys.argv[1:] or [select.ALL])
    sys.exit(0 if table(chosen) else 1)

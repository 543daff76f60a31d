"""What no test would miss: guarantees of the house removed one at a time, each in a copy of the tree, and the tests asked.

    python tests/mutants.py            every mutant
    python tests/mutants.py paths.py   those of a file, or whose reason says so

A mutant dies by the tests that its row names or by the static judge over all marked scripts. One that lives is a guarantee
that nobody checks, unless its row says why it may. Exit status 1 where one lives without a reason, 2 where a row is stale.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
NEEDED = ["src", "rules", "fixtures", "tests", "pyproject.toml"]
MOST_SECONDS = 300
"""A mutant that takes longer is as dead as one that fails."""
SCRIPTS = ["tests/test_rules.py", "tests/test_fixtures.py", "tests/test_projects.py", "tests/test_frameworks.py"]
LINT = [*SCRIPTS, "-k", "lint or static_judge"]


@dataclass(frozen=True)
class Mutant:
    """One guarantee. code: what keeps it, once in its file below src/loopcheck. instead: what does not.

    tests: files and names that are asked before the scripts are. lives: why it may live.
    """

    file: str
    code: str
    instead: str
    why: str
    tests: str = ""
    lives: str = ""


JUDGE, WORDS, MOVES = "tests/test_static_judge.py", "tests/test_words.py", "tests/test_write_move.py"

MUTANTS = [
    Mutant(
        "automaton.py",
        "if partial and not (link.gap and link.gap.match.possible(event)):",
        "if partial and not (link.gap and link.gap.match.certain(event)):",
        "what may be what a gap excludes breaks the chain",
        JUDGE,
    ),
    Mutant("automaton.py", "if meets and sure:", "if meets:", "what only may concern the object completes nothing", JUDGE),
    Mutant(
        "automaton.py",
        "meets = (event.verb, event.at) == (before.verb, before.at)",
        "meets = event.at == before.at",
        "`again` is the same verb at the place, not whatever a library does there",
        JUDGE,
    ),
    Mutant(
        "bug.py",
        'if event.verb == "escape":\n            held',
        "if False:\n            held",
        "what is handed to code out of sight may have had anything done to it",
        JUDGE,
    ),
    Mutant(
        "bug.py",
        "all(event.facts.get(name, value) == value",
        "all(event.facts.get(name) == value",
        "an unknown fact may be what a gap excludes",
        JUDGE,
    ),
    Mutant(
        "bug.py",
        "all(event.facts.get(name) == value",
        "all(event.facts.get(name, value) == value",
        "an unknown fact completes nothing",
        JUDGE,
    ),
    Mutant(
        "bug.py",
        "    if event.open:\n",
        "    if False:\n",
        "an event of unknown origin may concern every object of its kind",
        JUDGE,
    ),
    Mutant(
        "bug.py",
        "any(on.kind in kinds and on.kind != role.kind and unseen - {on.kind} for on in event.on)",
        "False",
        "an object with a side that is out of sight may be concerned",
        JUDGE,
    ),
    Mutant(
        "bug.py",
        "spreads = event.verb not in glossary or glossary[event.verb].parts",
        "spreads = True",
        "a mode that is set on a part is not set on the whole",
        JUDGE,
    ),
    Mutant(
        "judge.py",
        "roles = _objects(per, filterfalse(_makes_part, seen))",
        "roles = _objects(per, seen)",
        "a layer that is only made is not judged apart from the whole",
        JUDGE,
    ),
    Mutant(
        "judge.py",
        "if key not in best or verdict.certain > best[key].certain:",
        "if key not in best:",
        "of two verdicts on one place the certain one is told",
        JUDGE,
    ),
    Mutant(
        "judge.py",
        "if history in walked:",
        "if False:",
        "what has the same done to it is walked once",
        lives="it saves time; a verdict of the same events is told once anyway",
    ),
    Mutant(
        "judge.py",
        "[-order.get(event, -1) for event in verdict.witness.events]",
        "[order.get(event, -1) for event in verdict.witness.events]",
        "the nearest events are the story that is told",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "recurs = 0 if self.coarse else bit & self._recurring",
        "recurs = 0",
        "the same test goes the same way",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "keeps = ~sum(1 << self._number[test.key] for test in bound)",
        "keeps = ~0",
        "what a loop binds is another test on its next pass",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "    for number, following in turn.moves:",
        "    for number, following in ():",
        "a counter moves on by one: what held of its successor holds of it",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "begins = 0 if self.coarse else turn.begins",
        "begins = 0",
        "a counter starts at nought: its first pass is known",
        JUDGE,
    ),
    Mutant("paths.py", "if not path.held & turn.ends}", "}", "after the last pass there is no other", JUDGE),
    Mutant(
        "paths.py",
        "turns = path.turns | (1 << 2 * number + outcome) if region.test.counter and not self.coarse else path.turns",
        "turns = path.turns",
        "both outcomes of a counter's test happen in every run: they are no doubt",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "rivals = self._rivals.get(region.test.key, 0)\n        recurs",
        "rivals = 0\n        recurs",
        "one value does not equal two constants",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        'exits["fall"] = exits.pop("return", frozenset()) | exits.get("fall", frozenset())',
        "pass",
        "a return ends the call and nothing more",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "exits: Exits = {}\n        seen: Paths",
        'exits: Exits = {"fall": paths}\n        seen: Paths',
        "a loop runs at least once",
        JUDGE,
    ),
    Mutant(
        "paths.py",
        "while not paths <= seen:",
        "for _ in range(1):",
        "a loop runs until nothing new comes out: the first pass and the steady state differ",
        JUDGE,
    ),
    Mutant(
        "paths.py", "if not path.made and not builds:", "if False:", "nothing happens to an object that is not there yet", JUDGE
    ),
    Mutant(
        "paths.py",
        "    if len(sets) == 1:\n        return sets\n",
        "    return sets\n",
        "a test is forgotten once both outcomes lead to one place",
        JUDGE,
    ),
    Mutant("paths.py", "if len(merged) <= MOST_PATHS:", "if True:", "paths are bounded", JUDGE),
    Mutant(
        "paths.py",
        "            self.found = {witness: True for witness, certain in self.found.items() if certain}",
        "            pass",
        "where tests are not told apart only what is certain is believed",
        JUDGE,
    ),
    Mutant(
        "verdict.py",
        "(rule.every_path and not verdict.certain)",
        "False",
        "a rule that wants every path is silent on some",
        JUDGE,
    ),
    Mutant("verdict.py", "(rule.where and not rule.where(verdict.witness))", "False", "what `where` refuses goes", JUDGE),
    Mutant(
        "verdict.py", "if not _spoken_for(*each, best)", "if True", "one defect is told by the rule that knows it better", JUDGE
    ),
    Mutant("verdict.py", "return not verdict.certain, part,", "return False, part,", "what is certain goes first", JUDGE),
    Mutant(
        "verdict.py",
        "return not verdict.certain, part,",
        "return not verdict.certain, False,",
        "what is about the object itself goes before a part of it",
        JUDGE,
    ),
    Mutant(
        "read/objects/passes.py",
        '        if trains:\n            learn(event, "validating", False)\n        elif held_out',
        "        if held_out",
        "a pass that trains is no evaluation, whatever it is called",
    ),
    Mutant(
        "read/objects/passes.py",
        "if turn.adapted.isdisjoint(event.on):",
        "if True:",
        "what is differentiated by other means than a backward is not merely evaluated",
    ),
    Mutant(
        "read/objects/passes.py",
        "        around[-1].adapted |= turn.adapted\n",
        "        pass\n",
        "what an inner loop adapts the outer one does not merely evaluate",
    ),
    Mutant(
        "read/objects/passes.py",
        "    if not trains or steps:\n",
        "    if True:\n",
        "gradients that a step after the loop may read are told with that step",
    ),
    Mutant(
        "read/objects/passes.py",
        'cast(MutableMapping[str, Fact], event.facts).pop("averaged", None)',
        "pass",
        "gradients that are edited by hand may be divided there",
    ),
    Mutant(
        "read/objects/passes.py",
        "set(others_guards) <= set(guards) and _may_share(event, other)",
        "True",
        "a clearing under another test, or of other parameters, is not this backward's",
    ),
    Mutant(
        "read/objects/passes.py",
        "if windows and all(_waits(step_guards, own, beside) for _, step_guards in guarded):",
        "if windows:",
        "one step that does not wait, and there is no window",
    ),
    Mutant(
        "read/objects/passes.py",
        'if event.verb == "backward" and event.facts.get("managed") is False:',
        "if False:",
        "the program's own backward is for when there is no framework",
    ),
    Mutant(
        "write/effects.py", "            or self.leaves\n", "", "a fix moves nothing past the end of a pass or a function", MOVES
    ),
    Mutant(
        "write/effects.py",
        "            or self.reads_what(verb)\n",
        "",
        "a fix moves nothing past what looks at what the verb changes",
        MOVES,
    ),
    Mutant(
        "words.py",
        "if on_purpose(data) or on_purpose(function):",
        "if False:",
        "what wants dropout on held-out data is left to it",
        WORDS,
    ),
    Mutant("words.py", "    if said & TRAINING:\n        return False\n", "", "data of both kinds is not held out", WORDS),
]


def stale(mutants: Sequence[Mutant] = MUTANTS) -> list[str]:
    """What rows no longer fit the house: code that does not stand exactly once in its file, tests that are not there."""
    found = []
    for mutant in mutants:
        times = (ROOT / "src" / "loopcheck" / mutant.file).read_text(encoding="utf-8").count(mutant.code)
        if times != 1:
            found.append(f"{mutant.file}: `{mutant.code}` stands there {times} times")
        found += [f"{mutant.file}: no {each}" for each in mutant.tests.split() if not (ROOT / each.partition("::")[0]).is_file()]
    return found


def killer(mutant: Mutant, tree: Path) -> str:
    """What fails in the tree without this guarantee: its tests or the scripts; nothing where it lives."""
    with _mutated(tree / "src" / "loopcheck" / mutant.file, mutant):
        if mutant.tests and not _passes(tree, mutant.tests.split()):
            return mutant.tests
        return "" if _passes(tree, LINT) else "the scripts"


@contextmanager
def _mutated(file: Path, mutant: Mutant) -> Iterator[None]:
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(mutant.code, mutant.instead), encoding="utf-8")
    try:
        yield
    finally:
        file.write_text(text, encoding="utf-8")


def chosen(words: Sequence[str]) -> list[Mutant]:
    """The mutants whose file or reason holds one of the words; all where there is none."""
    return [each for each in MUTANTS if not words or any(word in f"{each.file} {each.why}" for word in words)]


def _passes(tree: Path, tests: Sequence[str]) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(tree / "src"), str(tree / "rules")]),
        "PYTHONDONTWRITEBYTECODE": "1",  # within one second two mutants of a file look like one
    }
    try:
        ran = subprocess.run(command, cwd=tree, env=environment, capture_output=True, timeout=MOST_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    return ran.returncode == 0


def main(words: Sequence[str]) -> int:
    """Print how each mutant fared; the exit status."""
    if rows := stale():
        print("stale rows:", *rows, sep="\n  ")
        return 2
    mutants = chosen(words)
    unexplained = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for name in NEEDED:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, tree / name)
        named = sorted({test for each in mutants for test in each.tests.split()})
        if not all(_passes(tree, tests) for tests in (named, LINT) if tests):
            print("the tests fail without any mutant")
            return 2
        for mutant in mutants:
            began = time.monotonic()
            died = killer(mutant, tree)
            unexplained += not died and not mutant.lives
            fate = f"dies by {died}" if died else f"LIVES: {mutant.lives or 'nobody knows why'}"
            print(f"{time.monotonic() - began:4.0f} s  {mutant.file:16} {mutant.why}: {fate}", flush=True)
    print(f"{len(mutants)} mutants, {unexplained} live without a reason")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

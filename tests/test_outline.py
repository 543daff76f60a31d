"""What `loopcheck show` shows: whole programs as snapshots, and what must be said of what is not known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from pytest_snapshot.plugin import Snapshot  # type: ignore[import-untyped]
from samples import PLAIN

from loopcheck import backward, packs, step, verbs
from loopcheck.bug import glossary
from loopcheck.check import read_source
from loopcheck.cli import program
from loopcheck.finding import Span
from loopcheck.loop import Either, Event, Fact, Frame, Leave, Region, Repeat, Role, Seq
from loopcheck.loop import Test as Condition
from loopcheck.read.library import Library
from loopcheck.rule import Rule
from loopcheck.show.facts import Facts, meanings
from loopcheck.show.outline import WIDTH, draw, legend

ROOT = Path(__file__).parent.parent
OUTLINES = Path(__file__).parent / "outlines"
Run = Callable[..., Result]


@dataclass(frozen=True)
class Place:
    """A place in a file."""

    row: int
    text: str = ""
    path: str = "train.py"

    @property
    def place(self) -> object:
        return self.path, self.row, self.text

    @property
    def span(self) -> Span:
        return Span(self.path, self.row, 1, self.row, 1)


MODEL = Role("model", "model")
OPTIMIZER = Role("optimizer", "optimizer", of=(MODEL,))
AVERAGED = Rule(code="T1", bug=backward(averaged=False, windowed=True) >> step, says="")


def event(verb: str, row: int, *on: Role, open: bool = False, **facts: Fact) -> Event:
    return Event(verb, on, Place(row, f"{verb}()"), facts, open=open)


def loop(*parts: Region) -> Repeat:
    return Repeat(Seq(parts), at=Place(1, "for x in data"))


def holds(text: str, row: int = 1, inverted: bool = False) -> Condition:
    return Condition(text, at=Place(row, text), inverted=inverted)


def drawn(*parts: Region, rules: Iterable[Rule] = (), objects: bool = False) -> list[str]:
    """The rows of an entry, without the objects unless they are asked for."""
    text, _ = draw("train.py", [Frame(Seq(parts))], [*rules])
    blocks = click.unstyle(text).removeprefix("train.py\n  module code\n").rstrip().split("\n\n")
    return [line.strip() for line in blocks[0 if objects else -1].splitlines()]


FORWARD, BACKWARD, STEP = event("forward", 2, MODEL), event("backward", 3, MODEL), event("step", 4, OPTIMIZER)


# --- whole programs


@pytest.mark.parametrize(
    "name",
    ["accumulation_tail", "gan_two_optimizers_amp", "amp_flag", "trainer_class", "references_split_distributed"],
)
def test_fixtures(name: str, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    shown = CliRunner().invoke(program, ["show", f"fixtures/{name}.py"], catch_exceptions=False)
    assert shown.exit_code == 0
    assert max(map(len, shown.stdout.splitlines())) <= WIDTH
    snapshot.snapshot_dir = OUTLINES
    snapshot.assert_match(shown.stdout, f"{name}.txt")


# --- what is not known


def test_a_fact_that_a_rule_would_need_is_said_to_be_unknown() -> None:
    (_, row, _) = drawn(loop(event("backward", 3, MODEL, windowed=True), STEP), rules=[AVERAGED])
    assert row.endswith("windowed, averaged ?") or row.endswith("averaged ?, windowed")


def test_what_no_rule_waits_for_is_not_said() -> None:
    """Where the other facts rule a chain out, it does not matter; nor where the chain lacks an event."""
    (_, row, _) = drawn(loop(event("backward", 3, MODEL, windowed=False), STEP), rules=[AVERAGED])
    assert row.endswith("not windowed")
    (_, row) = drawn(loop(event("backward", 3, MODEL, windowed=True)), rules=[AVERAGED])
    assert row.endswith("model  windowed")


def test_a_backward_of_unknown_origin() -> None:
    assert drawn(event("backward", 3, open=True)) == ["3  backward   ?"]
    assert drawn(event("backward", 3, MODEL, open=True)) == ["3  backward   model, ?"]


def test_objects_say_how_they_are_known() -> None:
    named = Role("optimizer", "opt", open=True, evidence="named")
    (row,) = drawn(event("step", 4, named), objects=True)
    assert row.split("  ") == ["optimizer", "opt", "of ?", "by its name alone"]


def test_objects_that_are_built_say_so() -> None:
    built = Event("build", (OPTIMIZER,), Place(7), {"family": "sgd", "decays": True}, {"class": "SGD"})
    rows = drawn(Either(holds("fast"), built), STEP, objects=True)
    assert rows[1] == "7  optimizer  optimizer  SGD of model  if fast, decays"


def test_objects_of_one_name_are_told_apart() -> None:
    other = Role("model", "model")
    assert drawn(FORWARD, event("forward", 9, other)) == ["2  forward    model#1", "9  forward    model#2"]


def test_code_out_of_sight() -> None:
    call = Event("escape", (MODEL,), Place(5, "helper(model)"))
    assert drawn(call, FORWARD)[0] == "5  escape     model  out of sight: helper(model)"


# --- the order


def test_a_loop_that_trains_and_one_that_evaluates() -> None:
    validation = Repeat(event("forward", 6, MODEL, validating=True), at=Place(5, "for y in val"))
    rows = drawn(Repeat(Seq((FORWARD, BACKWARD, validation)), at=Place(1, "for x in data")))
    assert [row.rpartition("  ")[2] for row in rows if "for " in row] == ["training loop", "evaluation pass"]


def test_a_pass_over_a_loader_is_one_row() -> None:
    loader = Role("loader", "loader")
    begins = Event("iterate", (loader,), Place(1, "for x in data"), {"shuffled": True})
    rows = drawn(begins, loop(FORWARD, BACKWARD))
    assert rows[0].split("  ")[1 :: len(rows[0].split("  ")) - 2] == ["for x in data", "training loop over loader, shuffled"]


@pytest.mark.parametrize(
    ("region", "condition"),
    [
        (Either(holds("a"), STEP), "if a"),
        (Either(holds("a"), Seq(), STEP), "if not a"),
        (Either(holds("x is not None", inverted=True), Seq(), STEP), "if x is not None"),
        (Either(holds("a"), Either(holds("b"), STEP)), "if a and b"),
        (Either(holds("a"), STEP, Either(holds("b"), STEP)), "if a or b"),
        (Either(holds("a"), Either(holds("b"), Seq(), STEP), STEP), "if not a or not b"),
    ],
)
def test_conditions_are_put_together_again(region: Region, condition: str) -> None:
    assert drawn(region) == [f"1  {condition}", "4    step       optimizer"]


def test_a_test_that_decides_nothing_is_left_out() -> None:
    assert drawn(Either(holds("a"), STEP, STEP)) == ["4  step       optimizer"]
    assert drawn(Either(holds("a"), Seq(), Leave("return")), loop(), STEP, Either(holds("b"), Leave("return"))) == [
        "1  if not a",
        "return",
        "4  step       optimizer",
    ]


def test_a_loop_is_left_where_something_would_follow() -> None:
    rows = drawn(loop(FORWARD, Either(holds("bad", 7), Leave("continue")), BACKWARD, Either(holds("late", 8), Leave("break"))))
    assert [row for row in rows if "if" in row or "continue" in row or "break" in row] == ["7    if bad", "continue"]


def test_lines_of_other_files_say_so() -> None:
    inside = Event("forward", (MODEL,), Place(41, path="engine.py"))
    rows = drawn(Frame(inside, "train", Place(9, "train(model)")))
    assert rows == ["9  train(model)", "engine.py:41    forward    model"]


# --- words


@pytest.mark.parametrize("value", [True, False, None, 3, "some"])
@pytest.mark.parametrize("name", glossary)
def test_every_verb_and_every_fact_can_be_told(name: str, value: Fact | None) -> None:
    """A new word costs nothing here: it is told by its name, and its meaning comes from the glossary."""
    verb = glossary[name]
    roles = [Role(kind, f"a_{kind}") for kind in verb.on]
    facts = {fact: value for fact in verb.facts if value is not None}
    happens = Event(name, tuple(roles), Place(2, "for x in data"), facts, {"class": "Thing"})
    asks = [
        Rule(code="T2", bug=getattr(verbs, name)(**{fact: value}), per=verb.kind_of(fact) or verb.on[0], says="")
        for fact in verb.facts
    ]
    text, told = draw("train.py", [Frame(Seq((happens, *(event("forward", 3, role) for role in roles))))], asks)
    assert {fact for word, fact in told if word == name} == set(verb.facts)
    expected = {True: "{}", False: "not {}", None: "{} ?"}.get(value, f"{{}} {value}")  # type: ignore[arg-type]
    for fact in verb.facts:
        assert expected.format(fact.replace("_", " ")) in " ".join(click.unstyle(text).split())


def test_every_fact_has_its_meaning() -> None:
    told = {(verb.name, fact) for verb in glossary.values() for fact in verb.facts}
    assert len([*meanings(told)]) == len(told)
    assert "loss was divided" in legend({("backward", "averaged")})
    assert "scaled " not in legend({("backward", "averaged")})


def test_all_rules_together_ask_only_for_words_of_the_glossary() -> None:
    facts = Facts(packs.rules(), Frame(loop(FORWARD, BACKWARD, STEP)))
    assert "not scaled" in facts.of(event("step", 4, OPTIMIZER, scaled=False))


# --- the command


@pytest.fixture
def show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, **files: str) -> Result:
        for name, text in files.items():
            Path(f"{name}.py").write_text(text, encoding="utf-8")
        return CliRunner().invoke(program, ["show", *arguments], prog_name="loopcheck", catch_exceptions=False)

    return call


SCRIPT = "for x in loader:\n    loss = model(x)\n    loss.backward()\n    optimizer.step()\n"


@pytest.mark.parametrize(
    ("lines", "row"),
    [
        (["bar = tqdm(train_loader)", "for x in bar: model(x).backward()"], "training loop over train_loader"),
        (["optimizer = set_optimizer(model)", "optimizer.zero_grad()", "model(x)"], "zero_grad  optimizer"),
        (["loader_args = dict(batch_size=4)", "configure(loader_args)", "model(x)"], "forward    model"),
        (["def test(): return model(x)", "print('a' f'{test()}' f'{1}')"], "  test()\n"),
        (["if flag: model(x)", "else: optimizer.step()"], "  else\n"),
    ],
)
def test_what_is_understood(show: Run, lines: list[str], row: str) -> None:
    """Scripts of which something was once not seen, or seen that is not there."""
    script = [
        "from tqdm import tqdm",
        "from elsewhere import set_optimizer, configure",
        "model.train()",
        *lines,
        "model.parameters()",
    ]
    result = show("train.py", train="\n".join(script))
    assert row in result.stdout
    assert "loader_args" not in result.stdout


def test_a_file_that_is_missing(show: Run) -> None:
    result = show("missing.py")
    assert (result.exit_code, result.stderr) == (2, "Error: missing.py: no such file or folder\n")


def test_a_file_that_is_no_python_does_not_hide_the_others(show: Run) -> None:
    result = show(".", broken="optim = (\n", train=SCRIPT)
    assert result.exit_code == 3
    assert "error[LC000] syntax-error: '(' was never closed" in result.stdout
    assert "backward   loss of model" in result.stdout
    assert result.stdout.endswith("in 1 of 2 files. What the words mean: --words.\n")


def test_an_error_of_ours_is_told_and_the_other_files_shown(show: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail_on_a(data: bytes, path: str, library: Library) -> object:
        if path == "a.py":
            raise AssertionError("no such node")
        return read_source(data, path, library)

    monkeypatch.setattr("loopcheck.outline.read_source", fail_on_a)
    result = show(".", a=SCRIPT, b=SCRIPT)
    assert result.exit_code == 3
    assert "loopcheck failed with AssertionError: no such node" in result.stdout
    assert "b.py\n  module code" in result.stdout


def test_a_file_without_training_code(show: Run) -> None:
    result = show("plain.py", plain=PLAIN)
    assert (result.exit_code, result.stdout) == (0, "No training loop and no evaluation pass in 1 file.\n")


def test_words_are_explained_when_asked_for(show: Run) -> None:
    assert "it runs several times" not in show("train.py", train=SCRIPT).stdout
    assert re.search(r"^windowed +backward: it runs several times", show("train.py", "--words").stdout, re.MULTILINE)

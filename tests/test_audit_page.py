"""The page of an audit: whole by itself, the wrong turn marked in the loop, everything reachable and said in words."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from loopcheck import excerpt
from loopcheck.auditing.clock import Clock
from loopcheck.finding import Finding, Note, Report, Span
from loopcheck.loop import Event, Fact, Role
from loopcheck.record.readings import Group, Owner, Plan, Reading
from loopcheck.record.run import Run
from loopcheck.record.site import Site
from loopcheck.rule import Confidence
from loopcheck.show.audit_page import page, steady
from loopcheck.show.svg import Line, Stop, chart, ring
from loopcheck.show.view import View

VOID = {"meta", "br", "link", "line", "circle", "path", "rect", "polyline"}


class Page(HTMLParser):
    """Reads a page, and complains where what is opened is not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


LINES = ["zero()", "out = model(x)", "out.backward()", "optimizer.step()", "clip(model)  # <script>alert(1)</script>"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Four steps of a loop that clips after each."""
    file = tmp_path / "train.py"
    file.write_text("\n".join(LINES) + "\n")
    model = Role("model", "model<b>")
    optimizer = Role("optimizer", "optimizer", (model,))

    def event(verb: str, row: int, *on: Role, **facts: Fact) -> Event:
        return Event(verb, on, Site(str(file), row, LINES[row - 1]), facts)

    trace = [event("build", 1, model, training=True)]
    for _ in range(4):
        trace += [event("zero_grad", 1, optimizer), event("forward", 2, model), event("backward", 3, model, optimizer)]
        trace += [event("step", 4, optimizer), event("clip", 5, model)]
    trace.append(event("evaluate", 1, model))
    run = Run(trace, script=str(file), whole=True)
    at = (str(file), 4)
    run.readings.steps = [Reading("optimizer", n, (0.1 / n,), 1.0, 3.0 * n, n != 2, at) for n in range(1, 5)]
    run.readings.owners = [Owner("optimizer", "SGD", at, at, 4, 0.1)]
    run.readings.groups = [Group("optimizer", 0, 0.1, 0.01, 4, 1234)]
    run.readings.plans = [Plan("CosineAnnealingLR", "optimizer", at, 4, 4, [0.1], [(0, 0.1), (4, 0.0)])]
    return run


@pytest.fixture
def drawn(run: Run) -> Page:
    from loopcheck import packs

    rule = next(rule for rule in packs.rules() if rule.name == "clip-after-step")
    span = Span(run.script, 5, 1, 5, 12)
    finding = Finding(
        rule, "clips `<late>`", Confidence.HIGH, span, (Note(Span(run.script, 4, 1, 4, 17), "step 1"),), run="confirmed"
    )
    view = View([Report(run.script, (finding,))], lambda span: excerpt.lines(span.path), excerpt.row)
    return Page(page(view, [run], "Recorded <4> steps."))


def test_it_needs_nothing_but_itself(drawn: Page) -> None:
    assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in drawn.tags}
    assert all((link["href"] or "").startswith("#") for link in drawn.all("a"))
    style = drawn.words
    assert "url(http" not in style
    assert "@import" not in style
    assert "prefers-color-scheme:dark" in style


def test_every_link_leads_somewhere(drawn: Page) -> None:
    names = [attributes["id"] for _, attributes in drawn.tags if "id" in attributes]
    assert len(names) == len(set(names))
    assert {(link["href"] or "")[1:] for link in drawn.all("a")} <= set(names)
    assert {"loop", "rates", "gradients", "groups", "modes", "findings"} <= set(names)


def test_the_wrong_turn_is_marked_where_it_is(drawn: Page) -> None:
    wrong = [attributes for attributes in drawn.all("circle") if attributes.get("class") == "stop wrong"]
    assert len(wrong) == 1
    assert "✗ clip" in drawn.words
    assert "#f-LC101-5" in {link["href"] for link in drawn.all("a")}


def test_drawings_say_what_they_show(drawn: Page) -> None:
    told = [attributes["aria-label"] or "" for attributes in drawn.all("svg")]
    assert any("zero_grad, then forward, then backward, then step" in each and "clip (wrong here)" in each for each in told)
    assert any("CosineAnnealingLR, planned from 0.1 to 0" in each and "actual from 0.1 to 0.025" in each for each in told)
    assert any("before clipping from 3 to 12" in each for each in told)
    assert "skipped" in drawn.words
    assert drawn.all("html")[0]["lang"] == "en"
    assert drawn.all("a")[0]["class"] == "skip"


def test_what_is_taken_from_a_file_is_words(drawn: Page) -> None:
    assert "<script>alert(1)</script>" in drawn.words
    assert "clips <late>" in drawn.words
    assert "Recorded <4> steps." in drawn.words


def test_the_step_that_repeats(run: Run) -> None:
    assert [event.verb for event in steady(run.trace)] == ["clip", "zero_grad", "forward", "backward", "step"]
    assert steady([]) == []


def test_a_ring_of_one_and_a_line_of_nothing() -> None:
    assert ring("one", [Stop("step", "line 1")]).count('<path class="way"') == 1
    assert chart("none", [Line("a", [(1, float("nan"))])]) == ""
    assert re.search(r'points="[^"]*"', chart("level", [Line("a", [(1, 2.0), (2, 2.0)])], logarithmic=True))


def test_the_clock(run: Run) -> None:
    clock = Clock(run.trace)
    optimizer = run.trace[4].on[0]
    whens = [clock.when(event, optimizer) for event in run.trace[:11]]
    assert whens[0] == "before step 1"
    assert whens[1:6] == ["before step 1", "step 1", "step 1", "step 1", "after step 1"]
    assert whens[6:] == ["after step 1", "step 2", "step 2", "step 2", "after step 2"]


def test_what_stands_around_the_ring_has_its_place() -> None:
    drawn = ring("a step", [Stop(verb, "") for verb in ("clip", "zero_grad", "forward", "set_epoch")])
    width, height = (float(each) for each in re.findall(r'viewBox="0 0 (\S+) (\S+)"', drawn)[0])
    for x, y, anchor, verb in re.findall(r'<text class="" x="(\S+)" y="(\S+)" text-anchor="(\w+)">(\w+)<', drawn):
        wide = len(verb) * 8
        left = float(x) - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
        assert left >= 0
        assert left + wide <= width
        assert 13 <= float(y) <= height


def test_what_an_epoch_is_planned_for_is_drawn_as_long(run: Run, tmp_path: Path) -> None:
    steps = [Reading("optimizer", at, (0.1,), 1.0, None, True, ("", 0)) for at in range(1, 9)]
    run.readings.steps = steps
    run.readings.plans = [Plan("StepLR", "optimizer", ("", 0), advanced=2, curve=[(0, 0.1), (1, 0.05)])]
    run.steps_of_a_pass = lambda optimizer: 4  # type: ignore[method-assign]
    text = page(View([], lambda span: excerpt.lines(span.path), excerpt.row), [run], "")
    (planned,) = re.findall(r'<polyline class="two" points="([^"]+)"', text)
    places = [point.split(",") for point in planned.split()]
    assert [y for _, y in places] == ["8.0", "8.0", places[-1][1], places[-1][1]]
    assert float(places[2][0]) - float(places[1][0]) == pytest.approx(float(places[1][0]) - float(places[0][0]), rel=0.7)

"""Training loops as they are understood, as a page of HTML: each a ring with the wrong turn marked; objects, order, findings."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from loopcheck.loop import Frame
from loopcheck.outline import Outline
from loopcheck.rule import Rule
from loopcheck.show.articles import Marks, articles, linked, marks, place_of
from loopcheck.show.facts import Facts
from loopcheck.show.html import Section, document
from loopcheck.show.objects import Objects
from loopcheck.show.order import EVALUATION, TRAINING, Block, Branch, Nodes, Order
from loopcheck.show.outline import heading, where
from loopcheck.show.row import Row, clause
from loopcheck.show.svg import MOST_STOPS, Stop, ring, text
from loopcheck.show.view import View

DRAWN = (TRAINING, EVALUATION)


def page(outlines: Sequence[Outline], view: View, rules: Collection[Rule], told: str) -> str:
    """told: what is shown, in a sentence."""
    wrong = marks(view.entries)
    files: list[Section] = [
        (f"file-{number}", each.path, "".join(_entry(entry, each.path, rules, wrong) for entry in each.entries))
        for number, each in enumerate(outlines)
        if each.entries
    ]
    sections = [*files, ("findings", "Findings", "".join(articles(view)))]
    return document("loopcheck show", told, sections, links=sections, skip="findings")


def _entry(entry: Frame, path: str, rules: Collection[Rule], wrong: Marks) -> str:
    facts = Facts(rules, entry)
    objects = Objects(entry)
    known = "".join(
        f"<tr><td>{where(row.span, path)}</td><td>{text(row.lead)}</td><td><code>{text(' '.join(row.text.split()))}</code></td>"
        f"<td>{text(', '.join(row.remarks))}{linked(_wrong(row, wrong))}</td></tr>"
        for row in objects.rows(facts)
    )
    nodes = Order(entry, objects, facts).nodes()
    head = "".join(f'<th scope="col">{name}</th>' for name in ("line", "kind", "object", "what is known of it"))
    table = f"<table class=words><thead><tr>{head}</tr></thead><tbody>{known}</tbody></table>" if known else ""
    rings = "".join(_ring(block, path, wrong) for block in _loops(nodes))
    order = f'<ul class="order">{"".join(_items(nodes, path, wrong))}</ul>'
    return f'<h3>{text(heading(entry))}</h3><div class="beside">{rings}</div>{table}{order}'


# The loops


def _loops(nodes: Nodes) -> Iterator[Block]:
    """The innermost loops that train or evaluate: one turn of each is a picture."""
    for node in nodes:
        match node:
            case Block(_, body, loop):
                inner = [*_loops(body)]
                yield from inner
                if loop in DRAWN and all(each.loop != loop for each in inner):
                    yield node
            case Branch(_, then, other):
                yield from _loops(then)
                yield from _loops(other)
            case Row():
                pass


def _ring(block: Block, path: str, wrong: Marks) -> str:
    title = f"{block.loop}, line {where(block.head.span, path)}"
    stops = [Stop(row.lead, f"line {where(row.span, path)}", _wrong(row, wrong)) for row in _events(block.body)]
    return f"<figure>{ring(title, stops[:MOST_STOPS])}<figcaption>{text(title)}</figcaption></figure>"


def _events(nodes: Nodes) -> Iterator[Row]:
    for node in nodes:
        match node:
            case Row(_, _, lead):
                if lead:
                    yield node
            case Block(_, body):
                yield from _events(body)
            case Branch(_, then, other):
                yield from _events(then)
                yield from _events(other)


# The order


def _items(nodes: Nodes, path: str, wrong: Marks) -> Iterator[str]:
    for node in nodes:
        match node:
            case Row():
                yield _item(node, path, wrong)
            case Block(head, body):
                yield _item(head, path, wrong, inner=body)
            case Branch():
                yield from _branch(node, path, wrong, "if")


def _branch(branch: Branch, path: str, wrong: Marks, word: str) -> Iterator[str]:
    yield _item(branch.head, path, wrong, clause(branch.head.text, word), branch.then)
    match branch.other:
        case (Branch() as other,):
            yield from _branch(other, path, wrong, "elif")
        case (_, *_):
            yield _item(Row(None, "else"), path, wrong, inner=branch.other)


def _item(row: Row, path: str, wrong: Marks, said: str = "", inner: Nodes = ()) -> str:
    """A row, and in a list of its own what happens inside of it."""
    mark = _wrong(row, wrong) if row.lead else ""
    lead = f"<b>{text(row.lead)}</b> " if row.lead else ""
    at = f" <small>{text(where(row.span, path))}</small>" if row.span else ""
    known = f" <em>{text(', '.join(row.remarks))}</em>" if row.remarks else ""
    below = f"<ul>{''.join(_items(inner, path, wrong))}</ul>" if inner else ""
    return f"<li{' class=wrong' if mark else ''}>{lead}<code>{text(said or row.text)}</code>{at}{known}{linked(mark)}{below}</li>"


def _wrong(row: Row, wrong: Marks) -> str:
    return wrong.get(place_of(row.span), "") if row.span else ""

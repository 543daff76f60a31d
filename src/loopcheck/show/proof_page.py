"""What was proved as one page of HTML: every rule's claims, verdicts, and a chart of what its scripts part in. It needs nothing
but itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from loopcheck.show.html import document
from loopcheck.show.proof import verdicts_of
from loopcheck.show.svg import Line, chart, text

if TYPE_CHECKING:
    from loopcheck.prove import Curve
    from loopcheck.proving import Shown

_MARKS = {"ok": "✓", "FAILS": "✗", "-": "–"}


def page(every: Sequence[Shown]) -> str:
    """All that was shown: a table, then a section for each rule."""
    good = sum(each.holds for each in every)
    where = sorted({each.kept.where for each in every if each.kept})
    told = f"{good} of {len(every)} rules hold. Measured on {', '.join(where) or 'nothing'}."
    sections = [("all", "All rules", _table(every)), *((each.proof.rule.code, _title(each), _section(each)) for each in every)]
    return document("loopcheck prove", told, sections, links=sections[:1])


def _title(each: Shown) -> str:
    return f"{each.proof.rule.code} {each.proof.rule.name}"


def _table(every: Sequence[Shown]) -> str:
    verdicts = verdicts_of(every)
    head = "".join(f'<th scope="col">{name}</th>' for name in ("rule", "proof holds", *verdicts))
    rows = "".join(
        f'<tr><th scope="row"><a href="#{each.proof.rule.code}">{text(_title(each))}</a></th>'
        f"<td>{_held(each)}</td>{''.join(f'<td>{_mark(each.verdicts.get(name))}</td>' for name in verdicts)}</tr>"
        for each in every
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _held(each: Shown) -> str:
    return text(f"skipped: {each.proof.skipped}") if each.proof.skipped else _mark("ok" if each.proof.holds else "FAILS")


def _mark(verdict: str | None) -> str:
    """A tick that a screen reader says in a word."""
    if verdict is None:
        return ""
    return f'<span role="img" aria-label="{"not to be had here" if verdict == "-" else verdict}">{_MARKS[verdict]}</span>'


def _section(each: Shown) -> str:
    proof = each.proof
    parts = [f"<p>{text(proof.rule.title)}</p>"]
    if proof.skipped:
        parts.append(f"<p>Skipped: {text(proof.skipped)}.</p>")
    if proof.rows:
        names = ("claim", "bad: theory", "measured", "good: theory", "measured", "within", "")
        head = "".join(f'<th scope="col">{name}</th>' for name in names)
        rows = "".join(
            f'<tr><th scope="row">{text(row.quantity)}</th><td>{text(row.bad_theory)}</td><td>{text(row.bad_measured)}</td>'
            f"<td>{text(row.good_theory)}</td><td>{text(row.good_measured)}</td><td>{row.within:g}</td>"
            f"<td>{'holds' if row.holds else 'FAILS'}</td></tr>"
            for row in proof.rows
        )
        parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>")
    if proof.curve:
        parts.append(_drawn(proof.curve))
    parts += [f"<pre>{text(complaint.strip())}</pre>" for complaint in each.complaints]
    return "".join(parts)


def _drawn(curve: Curve) -> str:
    """The mended script's line lies on the good one's, where the fix is right."""
    told = (("bad", curve.bad, "two"), ("good", curve.good, "one"), ("mended", curve.mended, "three"))
    lines = [Line(name, [*enumerate(points, 1)], style) for name, points, style in told if points]
    every = [abs(point) for line in lines for _, point in line.points if point]
    wide = bool(every) and max(every) > 100 * min(every)
    return f"<figure><figcaption>{text(curve.quantity)}</figcaption>{chart(curve.quantity, lines, logarithmic=wide)}</figure>"

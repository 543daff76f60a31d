"""Drawings of a page: lines over steps, a ring of events, bars of modes. Each says in words what it shows."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from html import escape

from loopcheck.printable import printable
from loopcheck.structs import dataclass

WIDTH, HEIGHT, LEFT, BELOW = 720, 220, 76, 28
MOST_STOPS = 24
"""Events that a ring has place for."""


@dataclass(frozen=True)
class Line:
    """A quantity over steps. style: the class that it is drawn with."""

    name: str
    points: Sequence[tuple[float, float]]
    style: str = "one"


def chart(title: str, lines: Sequence[Line], logarithmic: bool = False) -> str:
    """Lines over steps, with the ends of both axes told."""
    drawn = [Line(each.name, [*_finite(each.points, logarithmic)], each.style) for each in lines]
    every = [point for line in drawn for point in line.points]
    if not every:
        return ""
    left, right = min(x for x, _ in every), max(x for x, _ in every)
    low, high = min(y for _, y in every), max(y for _, y in every)
    scale = math.log10 if logarithmic and low > 0 else float

    def place(x: float, y: float) -> str:
        across = (x - left) / ((right - left) or 1)
        up = (scale(y) - scale(low)) / ((scale(high) - scale(low)) or 1)
        return f"{LEFT + across * (WIDTH - LEFT - 16):.1f},{8 + (1 - up) * (HEIGHT - BELOW - 16):.1f}"

    told = "; ".join(f"{line.name} from {line.points[0][1]:.3g} to {line.points[-1][1]:.3g}" for line in drawn if line.points)
    parts = [f'<line class="axis" x1="{LEFT}" y1="{HEIGHT - BELOW}" x2="{WIDTH - 16}" y2="{HEIGHT - BELOW}"/>']
    parts += [
        f'<text x="{LEFT - 8}" y="{y}" text-anchor="end">{value:.3g}</text>' for value, y in ((high, 16), (low, HEIGHT - BELOW))
    ]
    parts += [f'<text x="{LEFT}" y="{HEIGHT - 8}">step {left:g}</text>']
    parts += [f'<text x="{WIDTH - 16}" y="{HEIGHT - 8}" text-anchor="end">step {right:g}</text>']
    for line in drawn:
        points = " ".join(place(*point) for point in line.points)
        parts.append(f'<polyline class="{line.style}" points="{points}"/>')
        parts += [f'<circle class="{line.style}" r="3" cx="{p[0]}" cy="{p[1]}"/>' for p in [place(*line.points[-1]).split(",")]]
    legend = "".join(f'<li class="{line.style}">{text(line.name)}</li>' for line in drawn)
    return _drawing(title, told, HEIGHT, parts) + f'<ul class="legend">{legend}</ul>'


@dataclass(frozen=True)
class Stop:
    """An event on a ring. wrong: the anchor of the finding that points at it."""

    verb: str
    where: str
    wrong: str = ""


def ring(title: str, stops: Sequence[Stop]) -> str:
    """Events in their order around a circle, clockwise from the top; what goes wrong stands out, and leads to its finding."""
    width, radius, margin = 420, 112, 44
    middle, number = (width / 2, radius + margin), max(len(stops), 1)
    told = ", then ".join(f"{each.verb}{' (wrong here)' if each.wrong else ''}" for each in stops) + ", and again from the first"
    parts = []
    for at, stop in enumerate(stops):
        angle, following = (2 * math.pi * each / number - math.pi / 2 for each in (at, at + 1))
        gap = min(0.16, (following - angle) / 4)
        begin, end = (_on(middle, radius, each) for each in (angle + gap, following - gap))
        parts.append(f'<path class="way" d="M{begin} A{radius} {radius} 0 {int(number == 1)} 1 {end}"/>')
        turned = f"translate({end}) rotate({math.degrees(following - gap) + 90:.1f})"
        parts.append(f'<path class="tip" d="M-11 -7 L4 0 L-11 7 z" transform="{turned}"/>')
        x, y = _on(middle, radius, angle).split(" ")
        lx, ly = (float(each) for each in _on(middle, radius + 24, angle).split(" "))
        anchor = "middle" if abs(lx - middle[0]) < 20 else "start" if lx > middle[0] else "end"
        kind = "stop wrong" if stop.wrong else "stop"
        node = f'<circle class="{kind}" cx="{x}" cy="{y}" r="{11 if stop.wrong else 8}"/>'
        node += f'<text class="{"wrong" if stop.wrong else ""}" x="{lx:.1f}" y="{ly + 4:.1f}" text-anchor="{anchor}">'
        node += f"{'✗ ' if stop.wrong else ''}{text(stop.verb)}</text>"
        parts.append(f'<a href="#{stop.wrong}">{node}</a>' if stop.wrong else node)
    return _drawing(title, told, 2 * (radius + margin), parts, width)


@dataclass(frozen=True)
class Bar:
    """A stretch of a lane, from one step to another."""

    begin: float
    end: float
    style: str


def lanes(title: str, told: str, rows: Sequence[tuple[str, Sequence[Bar]]], until: float) -> str:
    """Bars over steps, one lane for each name."""
    parts = []
    for at, (name, bars) in enumerate(rows):
        y = 8 + 26 * at
        parts.append(f'<text x="{LEFT + 48}" y="{y + 14}" text-anchor="end">{text(name[:18])}</text>')
        for bar in sorted(bars, key=lambda bar: bar.begin - bar.end):  # a short one would lie below the next
            x, end = (LEFT + 56 + (WIDTH - LEFT - 72) * each / (until or 1) for each in (bar.begin, bar.end))
            parts.append(f'<rect class="{bar.style}" x="{x:.1f}" y="{y}" width="{max(2.0, end - x):.1f}" height="18" rx="2"/>')
    return _drawing(title, told, 26 * len(rows) + 12, parts)


def text(words: str) -> str:
    """Words as a page may hold them, whatever is in them."""
    return escape(printable(words))


def prose(words: str) -> str:
    """The same of a sentence, with what is code in it set as such."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text(words))


def _on(middle: tuple[float, float], radius: float, angle: float) -> str:
    return f"{middle[0] + radius * math.cos(angle):.1f} {middle[1] + radius * math.sin(angle):.1f}"


def _finite(points: Sequence[tuple[float, float]], logarithmic: bool) -> Iterator[tuple[float, float]]:
    """What can be drawn, and not more of it than a screen has columns."""
    kept = [(x, y) for x, y in points if math.isfinite(y) and (y > 0 or not logarithmic)]
    stride = max(1, len(kept) // WIDTH)
    return (point for at, point in enumerate(kept) if at % stride == 0 or at == len(kept) - 1)


def _drawing(title: str, told: str, height: float, parts: Sequence[str], width: float = WIDTH) -> str:
    """role="img" makes one picture of it; links in it can be reached all the same."""
    role = "group" if any("<a " in part for part in parts) else "img"
    head = f'<svg viewBox="0 0 {width:g} {height:g}" role="{role}" aria-label="{text(f"{title}: {told}")}"'
    drawn = f'{head} style="max-width:{width:g}px">{"".join(parts)}</svg>'
    return f'<div class="wide">{drawn}</div>' if width == WIDTH else drawn

"""A page of HTML that needs nothing but itself: readable in light and dark, by keyboard and by ear."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from loopcheck.show.svg import text

Section: TypeAlias = tuple[str, str, str]
"""An anchor, a title, and what stands below it, as HTML."""


def document(title: str, told: str, sections: Sequence[Section], links: Sequence[Section], skip: str = "") -> str:
    """told: a sentence under the title. links: the sections that the navigation leads to. skip: the one that a keyboard goes to
    first; empty of the first."""
    items = "".join(f'<li><a href="#{name}">{text(head)}</a></li>' for name, head, _ in links)
    bodies = "".join(f'<section id="{name}"><h2>{text(head)}</h2>{body}</section>' for name, head, body in sections)
    first = skip or sections[0][0]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{text(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
        f"<style>{_STYLE}</style></head><body>"
        f'<a class="skip" href="#{first}">to the {first}</a><header><h1>{text(title)}</h1><p>{text(told)}</p></header>'
        f'<nav aria-label="sections"><ul>{items}</ul></nav><main>{bodies}</main></body></html>\n'
    )


_STYLE = """
:root{--ground:#fff;--ink:#1b1f24;--faint:#59636e;--edge:#d1d9e0;--wrong:#b3261e;--one:#0550ae;--two:#9a4a00;--wash:#f6f8fa}
@media(prefers-color-scheme:dark){:root{--ground:#0d1117;--ink:#e6edf3;--faint:#9aa4af;--edge:#3d444d;--wrong:#ff8b82;
--one:#79b8ff;--two:#f0a35e;--wash:#151b23}}
body{background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
a{color:var(--one)}
a:focus-visible,summary:focus-visible,pre:focus-visible,article:focus{outline:3px solid var(--one);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{position:static}
nav ul,.legend{display:flex;flex-wrap:wrap;gap:1rem;padding:0;list-style:none}
.legend li::before{content:"";display:inline-block;width:1.2em;height:.25em;margin-right:.4em;vertical-align:middle;
background:var(--one)}.legend .two::before{background:var(--two)}.legend .evaluating::before{background:var(--two)}
svg{width:100%;height:auto;display:block}.wide{overflow-x:auto}.wide svg{min-width:36rem}
svg text{fill:var(--ink);font-size:13px}.axis{stroke:var(--edge)}
polyline{fill:none;stroke-width:2}polyline.one{stroke:var(--one)}polyline.two{stroke:var(--two);stroke-dasharray:6 4}
polyline.three{stroke:var(--faint);stroke-dasharray:2 5;stroke-width:5}circle.three{fill:var(--faint)}
.legend .three::before{background:var(--faint)}figure{margin:1rem 0}
circle.one,rect.training{fill:var(--one)}circle.two,rect.evaluating{fill:var(--two)}
.way{fill:none;stroke:var(--faint);stroke-width:2}.tip{fill:var(--faint)}.stop{fill:var(--one)}
.stop.wrong,svg text.wrong{fill:var(--wrong);font-weight:700}.beside{display:flex;flex-wrap:wrap;gap:1rem}
.beside>*{flex:1 1 20rem}li.wrong b,li.wrong a{color:var(--wrong)}table{border-collapse:collapse;display:block;overflow-x:auto}
th,td{border:1px solid var(--edge);padding:.25rem .6rem;text-align:right}
tbody th{font-weight:400;text-align:left;min-width:9rem}thead th:first-child{text-align:left}
pre{background:var(--wash);border:1px solid var(--edge);padding:.6rem;overflow-x:auto}pre span{display:block}
pre i{color:var(--faint)}pre .wrong{box-shadow:inset 4px 0 var(--wrong)}pre .part{box-shadow:inset 4px 0 var(--two)}
pre em{color:var(--faint)}pre .wrong em{color:var(--wrong);font-weight:700}article{border-top:1px solid var(--edge)}
h3 span{text-transform:uppercase;font-size:.75em;border:1px solid currentColor;border-radius:3px;padding:0 .4em}
.bug h3 span{color:var(--wrong)}dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}
dt{color:var(--faint)}dd{margin:0}code,h2,nav a,small{overflow-wrap:anywhere}
.order,.order ul{list-style:none;padding-left:1.2rem;border-left:1px solid var(--edge);margin:0}.order{padding-left:.6rem}
.order em,.order small{color:var(--faint)}.order li{padding:.1rem 0}.words :is(td,th){text-align:left}
figcaption{text-align:center}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
"""

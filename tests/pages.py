"""The pages of the site that are made of what stands elsewhere: the README, the rules, and what their proofs have measured.

mkdocs asks for them while it builds: `mkdocs build --strict`.
"""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from loopcheck import measured, packs
from loopcheck.rule import Rule
from loopcheck.show import page, proof

ROOT = Path(__file__).parent.parent
WHOLE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
}
"""Files of the repository's top, and their pages."""
_ABOUT_RULES = """\
# Rules

A run is *silent* where no error and no warning tells of the bug. A *safe* fix changes nothing but the bug; an *unsafe* one
changes the result of training. What was measured stands in full on each rule's page, and [in one place](proofs.md)."""
_ABOUT_PROOFS = """\
# Proofs

Theory against measurement, of each rule's bad script and its good one. `loopcheck prove RULE` measures it again."""
_LINK = re.compile(r"(?<=\]\()(?:docs/)?([\w./-]+)(?=[)#])")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of docs/, and these."""
    for name, text in pages().items():
        files.append(File.generated(config, name, content=text))
    return files


def pages() -> dict[str, str]:
    """Every page, as Markdown, by where it stands."""
    rules = packs.rules()
    whole = {name: _moved((ROOT / file).read_text(encoding="utf-8")) for file, name in WHOLE.items()}
    return (
        whole | {"rules.md": index(rules), "proofs.md": proofs(rules)} | {f"rules/{rule.name}.md": _page(rule) for rule in rules}
    )


def _moved(text: str) -> str:
    """The text with its links where they lead in the site."""
    return _LINK.sub(lambda link: WHOLE.get(link[1], link[1]), text)


def index(rules: tuple[Rule, ...]) -> str:
    """All rules in a table: how a run tells of the bug, how it is mended, and what it was measured to do."""
    rows = [
        (rule.code, f"[{rule.name}](rules/{rule.name}.md)", rule.group, page.tells(rule), _fix(rule), *_size(rule))
        for rule in rules
    ]
    head = ("code", "rule", "group", "a run is", "fix", "measured", "with the bug", "without")
    table = [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
    return "\n".join([_ABOUT_RULES, "", *table, ""])


def proofs(rules: tuple[Rule, ...]) -> str:
    """What was measured of all rules."""
    tables = [
        f"## {rule.code} [{rule.name}](rules/{rule.name}.md)\n\n{proof.kept_as_markdown(kept)}"
        for rule in rules
        for kept in measured.load(rule.folder).values()
    ]
    return "\n\n".join([_ABOUT_PROOFS, *tables, ""])


def _page(rule: Rule) -> str:
    title, _, text = page.markdown(rule).partition("\n")
    told = [
        f"{title} ({rule.code})",
        "",
        f"{rule.title}",
        "",
        f"A *{rule.group}*. A run is *{page.tells(rule) or 'not measured'}*. Fix: {page.FIXES.get(_fix(rule), page.UNMENDED)}.",
        "",
    ]
    return "\n".join(told) + text + "\n"


def _fix(rule: Rule) -> str:
    return rule.fix.applicability if rule.fix else ""


def _size(rule: Rule) -> tuple[str, str, str]:
    """The first of a rule's numbers: what it is of, and how large with the bug and without."""
    for kept in measured.load(rule.folder).values():
        for row in kept.rows:
            return row.quantity, row.bad_measured, row.good_measured
    return "", "", ""

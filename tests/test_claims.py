"""What `docs/claims.md` says: every rule that it names is there, by that name, and every audit's observation too."""

from __future__ import annotations

import re
from pathlib import Path

from loopcheck import packs

CLAIMS = (Path(__file__).parent.parent / "docs" / "claims.md").read_text(encoding="utf-8")
ROWS = [line for line in CLAIMS.splitlines() if line.startswith("|") and not line.startswith(("|---", "| claim |", "| where |"))]
RULES = {rule.code: rule.name for rule in packs.rules()}


def test_every_rule_that_is_named_is_there() -> None:
    assert set(re.findall(r"\bL[CP]\d{3}\b", CLAIMS)) <= set(RULES)
    named = re.findall(r"\b(L[CP]\d{3}) ([a-z0-9]+(?:-[a-z0-9]+)+)", CLAIMS)
    assert dict(named) == {code: RULES[code] for code, _ in named}


def test_every_claim_has_a_rule_or_a_reason() -> None:
    reasons = re.compile(
        r"\bL[CP]\d{3}\b|\bLA\d{3}\b|^taste|^told by torch|^not yet: |^a run's, and |^torch's default|^documented by torch"
    )
    without = [row for row in ROWS if not reasons.search(row.split("|")[2].strip())]
    assert len(ROWS) > 80
    assert without == []

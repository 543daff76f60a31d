"""The first bad script of every rule, in all other clothes at once; `python tests/clothes.py` takes all of them, one by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from clothes import dressed, is_found, is_lost, scripts

from loopcheck import Rule

CLOTHES = ["tqdm", "loader by option", "optimizer by option", "schedule among others"]
PLAIN = ["bar", "sent", "model moved", "criterion by function", "criterion moved", "loss of several", "kept"]
FIRST = {rule.code: (rule, path) for rule, path in scripts() if path.name == "bad.py"}


@pytest.mark.parametrize("clothes", [CLOTHES, ["model by option"], PLAIN], ids=["all", "models", "plain"])
@pytest.mark.parametrize(("rule", "path"), FIRST.values(), ids=[rule.name for rule, _ in FIRST.values()])
def test_a_bug_is_the_same_in_other_clothes(rule: Rule, path: Path, clothes: list[str]) -> None:
    name = f"{path.parent.name}/{path.name}"
    assert is_found(rule, dressed(path.read_text(), clothes), path) is not any(is_lost(name, way) for way in clothes)


def test_what_is_dressed_is_another_program() -> None:
    text = "for x in loader:\n    pass\nloader = DataLoader(rows)\n"
    assert dressed(text, ["tqdm", "loader by condition"]).splitlines()[3:] == [
        "for x in tqdm.tqdm(loader):",
        "    pass",
        "loader = DataLoader(rows) if os.environ.get('CHOSEN') == 'other' else DataLoader(rows)",
    ]

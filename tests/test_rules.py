"""Every installed rule: five verdicts on its folder."""

from __future__ import annotations

import pytest
from pytest_snapshot.plugin import Snapshot  # type: ignore[import-untyped]

from loopcheck import examples, packs, testing
from loopcheck.rule import Rule

each_rule = pytest.mark.parametrize(
    "rule", [pytest.param(rule, id=rule.name, marks=pytest.mark.xdist_group(rule.name)) for rule in packs.rules()]
)


@each_rule
@pytest.mark.parametrize("verdict", ["lint", "run", "fix", "proof"])
def test_verdict(rule: Rule, verdict: str, runs: testing.Runs) -> None:
    try:
        testing.VERDICTS[verdict](rule, runs)
    except testing.Skipped as reason:
        pytest.skip(str(reason))


@each_rule
def test_text(rule: Rule, snapshot: Snapshot) -> None:
    snapshot.snapshot_dir = rule.folder
    snapshot.assert_match(testing.rendered(rule), "bad.txt")


@each_rule
def test_folder_is_whole(rule: Rule) -> None:
    held = {path.name for path in rule.folder.iterdir()}
    assert held >= {"__init__.py", "page.md", "bad.py", "good.py", "proof.py", "proof.json", "bad.txt"}
    assert [name for name in held if name.startswith("good_")], "no near miss"
    for script in testing.scripts(rule):
        marked = {name for name, _ in testing.marks(script, rule.name)}
        assert (rule.name in marked) == script.name.startswith("bad"), script
    for name in examples.twins(rule.folder):
        assert name in held, f"twins.txt: no {name}"
        assert name.replace("bad", "good", 1) not in held, f"twins.txt: {name} has a good script beside it"

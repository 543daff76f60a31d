"""Every installed rule: five verdicts on its folder."""

from __future__ import annotations

import pytest
from pytest_snapshot.plugin import Snapshot  # type: ignore[import-untyped]

from loopcheck import packs, testing
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
def test_what_is_mended_without_a_twin_is_what_was_read(rule: Rule, snapshot: Snapshot) -> None:
    """Other clothes of a bug whose mended script no good one stands beside: the difference is kept, for a person to look at."""
    if patches := testing.patches(rule):
        snapshot.snapshot_dir = rule.folder
        snapshot.assert_match(patches, "mended.txt")
    else:
        assert not (rule.folder / "mended.txt").exists()


@each_rule
def test_folder_is_whole(rule: Rule) -> None:
    held = {path.name for path in rule.folder.iterdir()}
    assert held >= {"__init__.py", "page.md", "bad.py", "good.py", "proof.py", "proof.json", "bad.txt"}
    assert [name for name in held if name.startswith("good_")], "no near miss"
    for script in testing.scripts(rule):
        marked = {name for name, _ in testing.marks(script, rule.name)}
        assert (rule.name in marked) == script.name.startswith("bad"), script

"""The map of the house in CONTRIBUTING.md is the house."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from test_architecture import MODULES, imports

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAP = TEXT.partition("\n## The map\n")[2]


def module(name: str) -> str:
    """`read/calls` is `loopcheck.read.calls`, `read/vocabulary/` is the package itself."""
    return f"loopcheck/{name}".removesuffix("/").removesuffix("/__init__").replace("/", ".")


def groups() -> dict[str, tuple[set[str], list[str]]]:
    """Of each group, in the map's order: the groups that it may import, and its modules."""
    found = {}
    for name, below, text in re.findall(r"^### (.+?) ←(.*)\n((?:[- ].*\n)+)", MAP, re.MULTILINE):
        named = [module(each) for each in re.findall(r"`([^`]+)`", text)]
        found[name] = ({each.strip() for each in below.split(",") if each.strip()}, named)
    return found


GROUPS = groups()
GROUP_OF = {each: name for name, (_, named) in GROUPS.items() for each in named}
ORDER = [each for _, named in GROUPS.values() for each in named]


def test_every_module_is_on_the_map_once() -> None:
    """A package whose `__init__` imports nothing needs no mention."""
    silent = {name for name, path in MODULES.items() if path.name == "__init__.py" and not [*imports(path)]}
    assert sorted(ORDER) == sorted({*MODULES} - (silent - {*ORDER}))


def test_a_module_imports_only_what_stands_above_it() -> None:
    place = {name: at for at, name in enumerate(ORDER)}
    upward = [
        f"{name} imports {used}"
        for name in ORDER
        for used, _ in imports(MODULES[name])
        if used in place and place[used] > place[name]
    ]
    assert upward == []


def test_a_group_imports_the_groups_behind_its_arrow() -> None:
    used: dict[str, set[str]] = {name: set() for name in GROUPS}
    for name in ORDER:
        used[GROUP_OF[name]] |= {GROUP_OF[each] for each, _ in imports(MODULES[name]) if each in GROUP_OF} - {GROUP_OF[name]}
    assert used == {name: below for name, (below, _) in GROUPS.items()}


FOLLOWED = """
import sys
from click.testing import CliRunner
from loopcheck.cli import program

called = []
def follow(frame, event, given):
    if event == "call" and frame.f_globals.get("__name__", "").startswith("loopcheck."):
        called.append((frame.f_globals["__name__"], frame.f_code.co_name))

sys.setprofile(follow)
CliRunner().invoke(program, ["check", "train.py", "--jobs", "1", "--no-cache"], catch_exceptions=False)
sys.setprofile(None)
for each in called:
    print(*each)
"""


def test_a_clip_goes_the_way_that_is_told(tmp_path: Path) -> None:
    """Each function that the section names is called after the one before."""
    section = TEXT.partition("\n## One clip, from bytes to the frame\n")[2].partition("\n## ")[0]
    told = [f"{module(path)} {name}" for path, name in re.findall(r"`([\w/]+):(?:\w+\.)?(\w+)`", section)]
    script = re.search(r'title="train.py"\n(.*?)```', (ROOT / "docs" / "walk.md").read_text(encoding="utf-8"), re.DOTALL)
    assert script
    (tmp_path / "train.py").write_text(script[1], encoding="utf-8")
    ran = subprocess.run([sys.executable, "-c", FOLLOWED], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True)
    called = iter(ran.stdout.splitlines())
    assert [each for each in told if each not in called] == []

"""`loopcheck new NAME`: the folder of a new rule, with a small rule in it that works."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from importlib.resources import files as resources
from pathlib import Path

import click

from loopcheck import config, packs
from loopcheck.misuse import Misuse
from loopcheck.rule import Rule

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_CODE = re.compile(r"[A-Z]+[0-9]+")


@click.command(name="new")
@click.argument("name")
@click.option("--code", help="The rule's code.  [default: one more than the pack's last]")
@click.option(
    "--pack", type=click.Path(path_type=Path), help="The pack's folder.  [default: the one in this project's pyproject.toml]"
)
def command(name: str, code: str | None, pack: Path | None) -> None:
    """Write the folder of a new rule, NAME, that says what the bug is: `clip-after-step`."""
    pack = pack or Path(os.path.relpath(_of_project(Path.cwd())))
    rules = packs.rules()
    code = code or _next_code([rule for rule in rules if rule.folder.parent == pack.resolve()])
    _refuse(name, code, pack, rules)
    folder = pack / name.replace("-", "_")
    try:
        folder.mkdir()
        for template in resources("loopcheck").joinpath("skeleton").iterdir():
            text = template.read_text(encoding="utf-8").replace("{name}", name).replace("{code}", code)
            (folder / template.name.removesuffix(".txt")).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Misuse(f"{folder} cannot be written: {error.strerror}") from None
    click.echo(_next_steps(name, code, folder))


def _of_project(folder: Path) -> Path:
    """The folder of the pack that the project around a folder offers through the entry point."""
    for file in config.projects(folder):
        project = config.read(file).get("project", {})
        for package in project.get("entry-points", {}).get(packs.ENTRY_POINT, {}).values():
            for root in ("", "src", "rules"):
                pack: Path = file.parent / root / package.replace(".", "/")
                if pack.is_dir():
                    return pack
    raise Misuse(f"no pyproject.toml from here upward has a pack under the entry points {packs.ENTRY_POINT!r}; give --pack")


def _refuse(name: str, code: str, pack: Path, rules: Sequence[Rule]) -> None:
    """Raises Misuse where the rule cannot be written there."""
    if not _NAME.fullmatch(name):
        raise Misuse(f"{name!r} is no rule name: lower-case words joined by hyphens, `clip-after-step`")
    if not _CODE.fullmatch(code):
        raise Misuse(f"{code!r} is no rule code: capital letters and a number, `LC101`")
    for rule in rules:
        if name == rule.name or code == rule.code:
            raise Misuse(f"there is a rule {rule.name} ({rule.code}) in {rule.folder}; choose another name and code")
    if not pack.is_dir():
        raise Misuse(f"{pack}: no such folder; a pack is a Python package")
    if (pack / name.replace("-", "_")).exists():
        raise Misuse(f"{pack / name.replace('-', '_')} exists; it is left as it is")


def _next_code(rules: Sequence[Rule]) -> str:
    last = max((rule.code for rule in rules), default="X000")
    letters, number = re.fullmatch(r"(\D+)(\d+)", last).groups()  # type: ignore[union-attr]
    return f"{letters}{int(number) + 1:0{len(number)}}"


def _next_steps(name: str, code: str, folder: Path) -> str:
    return f"""\
Wrote {folder}, the rule {name} ({code}). It works as it stands; make it yours:
  __init__.py  the bug as a chain of events, the message, the fix
  bad.py       a script with the bug, the line marked `# bug`; bad_*.py: in other clothes
  good.py      what the fix makes of bad.py; good_*.py: what looks alike and is right
  page.md      why it matters
  proof.py     the number that shows it

Then:
  loopcheck check {folder / "bad.py"}
  loopcheck prove {name}
  python -m loopcheck.testing {name}"""

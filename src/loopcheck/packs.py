"""Rule packs: installed packages that hold one folder for each rule, found through the entry point `loopcheck.rules`.

The built-in rules come in by the same door as anybody's. A rule's name is its folder's, its title the docstring's first line.
"""

from __future__ import annotations

import difflib
import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from loopcheck.misuse import Misuse
from loopcheck.rule import Rule

ENTRY_POINT = "loopcheck.rules"


class PackError(Misuse):
    """A rule pack that cannot be used, with what to do about it."""


@cache
def rules() -> tuple[Rule, ...]:
    """Every installed rule, by code.

    Raises PackError where a pack cannot be imported, a folder holds no rule, two rules share a code or a name, or a rule
    gives way to one that there is not.
    """
    found: list[Rule] = []
    for point in entry_points(group=ENTRY_POINT):
        found += _pack(point.value)
    by_key: dict[str, Rule] = {}
    for rule in found:
        for key in rule.spellings:
            if key in by_key:
                raise PackError(f"{rule.folder} and {by_key[key].folder} both define {key}; rename one of them")
            by_key[key] = rule
    for rule in found:
        _know_each_other(rule, [other.name for other in found])
    return tuple(sorted(found, key=lambda rule: rule.code))


def observed() -> tuple[Rule, ...]:
    """The rules that only a run shows. They can be named wherever rules are, and nothing of them is loaded before that."""
    found: tuple[Rule, ...] = importlib.import_module("loopcheck.auditing.observe").rules()
    return found


def sources() -> list[Path]:
    """The files of the packs' modules that are loaded: all that a rule's verdict can depend on."""
    packages = tuple(f"{point.value}." for point in entry_points(group=ENTRY_POINT))
    modules = [module for name, module in list(sys.modules.items()) if f"{name}.".startswith(packages)]
    return [Path(module.__file__) for module in modules if module.__file__]


def folders(package: str) -> list[Path]:
    """The rule folders of a pack."""
    module = importlib.import_module(package)
    roots = [Path(path) for path in module.__path__]
    return sorted(init.parent for root in roots for init in root.glob("*/__init__.py"))


def beside(rule: Rule, file: str) -> ModuleType | None:
    """A module in a rule's folder that linting never loads, such as its proof; None where there is no such file."""
    path = rule.folder / file
    if not path.is_file():
        return None
    spec = importlib.util.spec_from_file_location(f"loopcheck_{path.stem}_{rule.folder.name}", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _pack(package: str) -> list[Rule]:
    try:
        found = folders(package)
    except Exception as error:
        raise PackError(f"the rule pack {package!r} cannot be loaded: {type(error).__name__}: {error}") from error
    return [_rule(package, folder) for folder in found]


def _know_each_other(rule: Rule, names: Sequence[str]) -> None:
    for name in rule.unless:
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            hint = f"did you mean {near[0]!r}?" if near else "`loopcheck rules` lists those that there are"
            raise PackError(f"{rule.folder}: unless={name!r} names no rule; {hint}")


def _rule(package: str, folder: Path) -> Rule:
    try:
        module = importlib.import_module(f"{package}.{folder.name}")
    except Exception as error:
        raise PackError(f"the rule in {folder} cannot be loaded: {type(error).__name__}: {error}") from error
    rule = getattr(module, "rule", None)
    if not isinstance(rule, Rule):
        raise PackError(f"{folder}/__init__.py defines no `rule = Rule(...)`")
    title = (module.__doc__ or "").strip().split("\n")[0]
    if not title:
        raise PackError(f"{folder}/__init__.py has no docstring; its first line is the rule's title")
    return replace(rule, name=folder.name.replace("_", "-"), title=title, folder=folder)

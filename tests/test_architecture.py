"""The directions in which the house may depend on itself, read from the source of every module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import loopcheck_rules
import pytest

import loopcheck

ENGINE = Path(loopcheck.__file__).parent
RULES = Path(loopcheck_rules.__path__[0])


def dotted(path: Path) -> str:
    """The module's name: `src/loopcheck/read/front/source.py` is `loopcheck.read.front.source`."""
    return ".".join(path.relative_to(ENGINE.parent).with_suffix("").parts).removesuffix(".__init__")


MODULES = {dotted(path): path for path in ENGINE.rglob("*.py")}
RULE_FOLDERS = sorted(path.parent for path in RULES.glob("*/__init__.py"))

MAY_IMPORT = {
    "loopcheck.structs": set(),
    "loopcheck.loop": {"loopcheck.structs"},
    "loopcheck.misuse": set(),
    "loopcheck.words": set(),
    "loopcheck.api": set(),
    "loopcheck.bug": {"loopcheck.loop", "loopcheck.structs"},
    "loopcheck.verbs": {"loopcheck.bug"},
    "loopcheck.fix": {"loopcheck.bug", "loopcheck.structs"},
    "loopcheck.sense": {"loopcheck.bug", "loopcheck.loop"},
    "loopcheck.rule": {"loopcheck.bug", "loopcheck.fix", "loopcheck.loop", "loopcheck.sense", "loopcheck.structs"},
    "loopcheck.automaton": {"loopcheck.bug", "loopcheck.loop", "loopcheck.structs"},
    "loopcheck.paths": {"loopcheck.automaton", "loopcheck.bug", "loopcheck.loop", "loopcheck.structs"},
    "loopcheck.survey": {"loopcheck.bug", "loopcheck.loop", "loopcheck.structs"},
    "loopcheck.maybe": {"loopcheck.automaton", "loopcheck.bug", "loopcheck.loop"},
    "loopcheck.judge": {
        "loopcheck.automaton",
        "loopcheck.bug",
        "loopcheck.loop",
        "loopcheck.maybe",
        "loopcheck.paths",
        "loopcheck.rule",
        "loopcheck.survey",
        "loopcheck.structs",
    },
    "loopcheck.verdict": {"loopcheck.judge", "loopcheck.loop", "loopcheck.rule"},
    "loopcheck.finding": {"loopcheck.rule"},
}
"""The core, in full: each module and all of loopcheck that it may import."""


def imports(path: Path, typing: bool = False) -> Iterator[tuple[str, int]]:
    """Every module that a file imports, anywhere in it, with the row. typing: those for the type checker alone as well."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" and not typing
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            name = node.module or ""
            for alias in node.names:
                yield (f"{name}.{alias.name}" if f"{name}.{alias.name}" in MODULES else name), node.lineno


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def test_there_is_something_to_look_at() -> None:
    assert {"loopcheck.loop", "loopcheck.cli.check", "loopcheck.read.front.source", "loopcheck.show.text"} <= set(MODULES)
    assert dict(imports(MODULES["loopcheck.bug"])).keys() >= {"loopcheck.loop", "difflib"}
    assert len(RULE_FOLDERS) > 5


def test_no_two_modules_need_each_other() -> None:
    needs = {module: {name for name, _ in imports(path, typing=True)} & MODULES.keys() for module, path in MODULES.items()}
    for module, used in needs.items():
        used.discard(module)
    tuple(TopologicalSorter(needs).static_order())  # raises CycleError, with the circle


@pytest.mark.parametrize("module", MAY_IMPORT)
def test_the_core_knows_only_what_is_below_it(module: str) -> None:
    used = {name for name, _ in imports(MODULES[module]) if within(name, "loopcheck")}
    assert used <= MAY_IMPORT[module]


@pytest.mark.parametrize(
    ("package", "homes"),
    [
        ("libcst", ["loopcheck.read", "loopcheck.write"]),
        ("torch", ["loopcheck.record", "loopcheck.prove"]),
        ("pygls", ["loopcheck.lsp"]),
        ("lsprotocol", ["loopcheck.lsp"]),
        ("loopcheck.lsp", ["loopcheck.lsp", "loopcheck.cli"]),
        ("click", ["loopcheck.cli", "loopcheck.show", "loopcheck.testing", "loopcheck.within"]),
        ("loopcheck_rules", []),
        ("loopcheck.cli", ["loopcheck.cli", "loopcheck.__main__"]),
        ("loopcheck.show", ["loopcheck.show", "loopcheck.cli", "loopcheck.lsp", "loopcheck.testing", "loopcheck.within"]),
        ("loopcheck.write", [f"loopcheck.{name}" for name in ("write", "check", "job", "cli", "testing", "proving")]),
        (
            "loopcheck.record",
            [f"loopcheck.{name}" for name in ("record", "prove", "proving", "auditing", "within", "testing", "show.audit_page")],
        ),
    ],
)
def test_where_a_package_may_be_used(package: str, homes: list[str]) -> None:
    strays = [
        f"{module}:{row}"
        for module, path in MODULES.items()
        for name, row in imports(path)
        if within(name, package) and not any(within(module, home) for home in homes)
    ]
    assert strays == []


@pytest.mark.parametrize("folder", RULE_FOLDERS, ids=lambda folder: folder.name)
def test_a_rule_knows_the_notation_and_nothing_else(folder: Path) -> None:
    assert {name for name, _ in imports(folder / "__init__.py")} == {"loopcheck"}

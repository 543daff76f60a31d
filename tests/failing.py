"""The first of some tests and marked scripts that fails, for who asks many times: `python tests/failing.py NAME...` tells it.

    python tests/failing.py tests/test_words.py fixtures/loop.py    these, tests first
    python tests/failing.py scripts                                 every rule's scripts, every fixture and project

Of a script the static judge is asked, as the tests ask it, without what pytest costs. Exit status 1 where one fails.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = "scripts"
OPTIONS = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest"]
"""What the plugin of hypothesis imports takes longer than most tests."""


def first_failing(names: Sequence[str]) -> str:
    """The first test or marked script that fails of those that are named; nothing where there is none."""
    tests = [name for name in names if name.startswith("tests/")]
    return (_failing_test(tests) if tests else "") or _failing_script({*names} - {*tests})


class _First:
    """A plugin of pytest that keeps the name of the first test, or file of tests, that fails."""

    name = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.name = self.name or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.name = self.name or report.nodeid


def _failing_test(tests: Sequence[str]) -> str:
    first = _First()
    status = pytest.main([*OPTIONS, *tests], plugins=[first])
    return first.name or (tests[0] if status else "")


def _failing_script(names: set[str]) -> str:
    for name, check in _checks() if names else ():
        if name in names or SCRIPTS in names:
            try:
                check()
            except Exception:  # a reader that breaks is wrong, too
                return name
    return ""


def _checks() -> Iterator[tuple[str, Callable[[], None]]]:
    """Each marked script, or project of several, by its path, and what raises where the static judge is wrong about it."""
    import test_fixtures  # only here, for a test need not wait for it
    import test_frameworks
    import test_projects

    from loopcheck import packs, testing

    for program in test_frameworks.PROGRAMS:
        yield _named(program), partial(test_frameworks.test_static_judge, program)
    for program in test_fixtures.PROGRAMS:
        yield _named(program), partial(test_fixtures.test_static_judge, program)
    for project in test_projects.PROJECTS:
        yield _named(project), partial(test_projects.test_static_judge, project)
    for rule in packs.rules():
        for script in testing.scripts(rule):
            yield _named(script), partial(testing.lint_script, rule, script)


def _named(path: Path) -> str:
    return path.resolve().relative_to(ROOT).as_posix()


if __name__ == "__main__":
    failed = first_failing(sys.argv[1:])
    print(f"\n{failed}")
    sys.exit(1 if failed else 0)

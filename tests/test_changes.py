"""Only what differs is judged, as git tells, and what git cannot tell is said."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from samples import BAD, PLAIN, RULES

from loopcheck import packs
from loopcheck.cli import program

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Call `check` in a repository with one commit, of `old.py`, which has a bug."""
    monkeypatch.setattr(packs, "rules", lambda: RULES)
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    Path("old.py").write_text(BAD)
    git("init", "-q", "-b", "main")
    commit()
    return lambda *arguments: CliRunner().invoke(program, ["check", "--no-cache", "--output-format", "concise", *arguments])


def git(*words: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words], check=True, capture_output=True)


def commit() -> None:
    git("add", "-A")
    git("commit", "-q", "-m", "all")


def found(result: Result) -> set[str]:
    return {line.partition(":")[0] for line in result.stdout.splitlines() if "[LC101]" in line}


def test_since_a_branch(run: Run) -> None:
    """What the branch has changed, committed or not; what its origin has changed meanwhile is not its business."""
    assert found(run()) == {"old.py"}
    nothing = run("--since", "main")
    assert (nothing.exit_code, found(nothing)) == (0, set())
    git("checkout", "-q", "-b", "mine")
    Path("committed.py").write_text(BAD)
    commit()
    Path("new file é.py").write_text(BAD)
    git("checkout", "-q", "main")
    Path("old.py").write_text(BAD + "# theirs\n")
    git("commit", "-q", "-a", "-m", "theirs")
    git("checkout", "-q", "mine")
    assert found(run("--since", "main")) == {"committed.py", "new file é.py"}
    Path("sub").mkdir()
    os.rename("committed.py", "sub/moved.py")
    assert found(run("--since", "main", "sub")) == {"sub/moved.py"}


def test_staged(run: Run) -> None:
    Path("a.py").write_text(BAD)
    Path("b.py").write_text(BAD)
    git("add", "a.py")
    result = run("--staged")
    assert (result.exit_code, found(result)) == (1, {"a.py"})
    git("rm", "-q", "--cached", "a.py")
    assert found(run("--staged")) == set()


def test_what_is_excluded_stays_so(run: Run) -> None:
    Path("outputs").mkdir()
    Path("outputs/a.py").write_text(BAD)
    Path("b.py").write_text(PLAIN)
    git("add", "-A")
    assert found(run("--staged")) == set()
    assert found(run("--staged", "outputs/a.py")) == {"outputs/a.py"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--since", "nowhere"), "git knows no common commit of 'nowhere' and this branch"),
        (("--since=--output=x",), "'--output=x' is no commit, branch or tag"),
        (("--since", "main", "--staged"), "--since does not go with --staged"),
        (("--staged", "-"), "--since and --staged do not go with `-`"),
    ],
)
def test_what_cannot_be_asked(run: Run, arguments: tuple[str, ...], told: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, told in result.stderr) == (2, True), result.stderr


def test_outside_of_a_repository(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    os.rename(".git", "was.git")
    result = run("--staged")
    assert (result.exit_code, "is in no git repository" in result.stderr) == (2, True), result.stderr
    monkeypatch.setenv("PATH", "")
    assert "git is not installed" in run("--staged").stderr


def test_settings_of_the_repository_run_nothing(run: Run) -> None:
    """git itself would have a program of the repository's choice watch its files."""
    Path("watch.sh").write_text("#!/bin/sh\ntouch planted\n")
    Path("watch.sh").chmod(0o755)
    git("config", "core.fsmonitor", str(Path("watch.sh").absolute()))
    Path("a.py").write_text(BAD)
    assert found(run("--since", "main")) == {"a.py"}
    assert not Path("planted").exists()

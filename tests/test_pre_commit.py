"""The hooks that pre-commit installs, run by pre-commit itself on a repository of somebody else's."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from samples import BAD, GOOD, PLAIN

ROOT = Path(__file__).parent.parent
OFFLINE = ("Failed to establish a new connection", "No matching distribution found")


def call(*command: str, cwd: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """A command without a person's git settings, and with a cache of its own."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return subprocess.run(
        command,
        cwd=cwd,
        env={**environment, "PRE_COMMIT_HOME": str(home), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull},
        capture_output=True,
        text=True,
        check=False,
    )


def commit(folder: Path, home: Path) -> str:
    """Make a folder a repository of one commit; its hash."""
    call("git", "init", "-q", cwd=folder, home=home)
    call("git", "add", "-A", cwd=folder, home=home)
    author = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    made = call("git", *author, "commit", "-q", "-m", "all", cwd=folder, home=home)
    assert made.returncode == 0, made.stderr
    return call("git", "rev-parse", "HEAD", cwd=folder, home=home).stdout.strip()


@pytest.fixture
def hooks(tmp_path: Path) -> tuple[Path, str]:
    """This working tree, as a repository that can be cloned, and its one commit."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    copy = tmp_path / "loopcheck"
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy / name)
    return copy, commit(copy, tmp_path / "home")


def test_both_hooks(hooks: tuple[Path, str], tmp_path: Path) -> None:
    """Installed from a clone, as everybody installs them: the one finds, the other mends, and then both are content."""
    copy, revision = hooks
    home, theirs = tmp_path / "home", tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "train.py").write_text(BAD)
    (theirs / "plain.py").write_text(PLAIN)
    (theirs / "train.ipynb").write_text(json.dumps({"cells": [{"cell_type": "code", "source": BAD}]}))
    (theirs / "notes.txt").write_text("optimizer.step(\n")
    (theirs / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {copy}\n  rev: {revision}\n  hooks:\n  - id: loopcheck\n  - id: loopcheck-fix\n"
    )
    commit(theirs, home)

    def run(hook: str) -> subprocess.CompletedProcess[str]:
        return call(sys.executable, "-m", "pre_commit", "run", hook, "--all-files", cwd=theirs, home=home)

    found = run("loopcheck")
    if any(told in found.stdout for told in OFFLINE):
        pytest.skip("the hooks cannot be installed here: no package index")
    assert "bug[LC101] clip-after-step" in found.stdout, found.stdout + found.stderr
    assert "--> train.ipynb:cell 1:" in found.stdout
    assert "notes.txt" not in found.stdout
    assert (theirs / "train.py").read_text() == BAD

    mended = run("loopcheck-fix")
    assert (mended.returncode, "files were modified by this hook" in mended.stdout) == (1, True)
    assert (theirs / "train.py").read_text() == GOOD
    assert json.loads((theirs / "train.ipynb").read_text())["cells"][0]["source"] == GOOD
    assert (run("loopcheck").returncode, run("loopcheck-fix").returncode) == (0, 0)

"""What SECURITY.md promises, watched from inside the process by Python's own audit events."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml  # type: ignore[import-untyped]
from samples import BAD

from loopcheck import config
from loopcheck.kinds import ConfigError

ROOT = Path(__file__).parent.parent
FEATURES = (ROOT / "docs/features.md").read_text(encoding="utf-8")

WATCHED = """
import json, os, sys
log = os.open(sys.argv.pop(1), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
def hear(event, arguments):
    if event == "exec":
        arguments = [getattr(arguments[0], "co_filename", "")]
    elif event == "import":
        arguments = [arguments[0], arguments[1] or ""]
    elif event == "open" and (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) == 0:
        return
    elif event.partition(".")[0] not in ("open", "socket", "subprocess", "os", "shutil", "urllib", "http", "ctypes", "pty"):
        return
    os.write(log, (json.dumps([event, [str(each) for each in arguments]]) + "\\n").encode(errors="replace"))
sys.addaudithook(hear)
from loopcheck.cli import main
main()
"""
"""A call of the command line that writes down what it does: code run, modules imported, files written, and the rest."""

COMMANDS = {
    "check": ["check", "."],
    "several processes": ["check", "--jobs", "2", "."],
    "diff": ["check", "--diff", "."],
    "show": ["show", "."],
    "sarif": ["check", "--output-format", "sarif", "."],
}

Event: TypeAlias = tuple[str, list[str]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return made(tmp_path)


def made(tmp_path: Path) -> Path:
    """Files that would leave something behind if any of their code were run."""
    folder = tmp_path / "project"
    (folder / "helpers").mkdir(parents=True)
    planted = "import pathlib; pathlib.Path('planted').touch()\n"
    for name in ("setup.py", "conftest.py", "sitecustomize.py", "torch.py", "helpers/__init__.py", "loopcheck_plugin.py"):
        (folder / name).write_text(planted)
    for number in range(12):
        (folder / f"train{number}.py").write_text(planted + "from helpers import *\n" + BAD)
    (folder / "pyproject.toml").write_text('[tool.loopcheck]\nselect = ["ALL"]\n')
    return folder


def watched(folder: Path, command: list[str]) -> list[Event]:
    """The events of a call of the command line in a folder, children that it forks among them."""
    log = folder.parent / "events"
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    process = subprocess.run(
        [sys.executable, "-P" if sys.version_info >= (3, 11) else "-B", "-c", WATCHED, str(log), *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode in (0, 1), process.stderr
    told: list[Event] = [tuple(json.loads(line)) for line in log.read_text().splitlines()]
    assert any(event == "import" for event, _ in told)
    return told


def below(path: str, folder: Path) -> bool:
    return not path.startswith("<") and os.path.realpath(folder / path).startswith(os.path.realpath(folder) + os.sep)


@dataclass(frozen=True)
class Watched:
    """A command that has been called once. before: what the project's files held."""

    project: Path
    before: dict[Path, bytes]
    events: list[Event]


@pytest.fixture(scope="module", params=COMMANDS)
def call(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Watched:
    folder = made(tmp_path_factory.mktemp("watched"))
    before = {path: path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}
    return Watched(folder, before, watched(folder, COMMANDS[request.param]))


def test_judging_runs_nothing_of_what_is_judged(call: Watched) -> None:
    assert [each for each in call.events if each[0] == "exec" and below(each[1][0] or "<", call.project)] == []
    assert [each for each in call.events if each[0] == "import" and each[1][1] and below(each[1][1], call.project)] == []
    assert not (call.project / "planted").exists()


def test_judging_talks_to_nobody(call: Watched) -> None:
    silent = ("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname", "urllib", "http")
    assert [each for each in call.events if each[0].startswith(silent)] == []


def test_judging_starts_no_program(call: Watched) -> None:
    starts = ("subprocess", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "pty", "ctypes.dlopen")
    assert [each for each in call.events if each[0].startswith(starts)] == []


def written(events: list[Event]) -> set[str]:
    """The paths that are made, opened to be written, renamed or removed."""
    changes = ("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate", "shutil")
    two = ("os.rename", "os.link", "os.symlink")
    paths = {path for event, told in events if event.startswith(changes) for path in told[: 2 if event in two else 1]}
    return {path for path in paths if not path.isdigit() and path != os.devnull}


def test_judging_writes_its_cache_and_nothing_else(call: Watched) -> None:
    cache = call.project / ".loopcheck_cache"
    assert [path for path in written(call.events) if path != str(cache) and not below(path, cache)] == []
    assert {path: path.read_bytes() for path in call.before} == call.before


def test_the_watch_sees_what_it_is_for(project: Path) -> None:
    """Of a command that is asked to write, what it writes; of one that starts git, git."""
    assert "train1.py" in {Path(path).name for path in written(watched(project, ["check", "--no-cache", "--fix", "train1.py"]))}
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    assert any(event == "subprocess.Popen" for event, _ in watched(project, ["check", "--staged", "."]))


def test_without_a_cache_nothing_is_written(project: Path) -> None:
    assert written(watched(project, ["check", "--no-cache", "."])) == set()
    assert written(watched(project, ["explain", "LC101"])) == set()


def test_settings_name_no_code(project: Path) -> None:
    """A name in them is compared and not imported; what is no key is refused."""
    settings = project / "pyproject.toml"
    settings.write_text('[tool.loopcheck.same-as]\n"helpers.limit" = "torch.nn.utils.clip_grad_norm_"\n')
    watched(project, ["check", "."])
    assert not (project / "planted").exists()
    settings.write_text('[tool.loopcheck]\nplugins = ["loopcheck_plugin"]\n')
    with pytest.raises(ConfigError, match="has no key `plugins`"):
        config.load(project)


@pytest.mark.parametrize("page", ["SECURITY.md", "docs/features.md"])
def test_every_promise_names_tests_that_there_are(page: str) -> None:
    rows = re.findall(
        r"^\| (?!promise|feature|-)(.+?) \|(?: .+ \|)? (.*)\|$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(rows) > 10
    for promise, named in rows:
        tests = re.findall(r"`(tests/\w+\.py)::(\w+)`", named)
        assert tests or not named, promise
        for file, name in tests:
            tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
            assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, (file, name)


def test_what_is_not_there_is_said_without_a_test() -> None:
    rows = re.findall(r"^\| (?!feature|-)(.+?) \| (\w+)[:;, |].*?\| ?(.*)\|$", FEATURES, re.MULTILINE)
    assert {here for _, here, _ in rows} == {"yes", "better", "no"}
    assert [feature for feature, here, tests in rows if (here == "no") == bool(tests.strip())] == []


@pytest.mark.parametrize("name", ["false_alarm", "missed_bug"])
def test_a_form_asks_for_what_makes_a_test_of_it(name: str) -> None:
    form: dict[str, Any] = yaml.safe_load((ROOT / f".github/ISSUE_TEMPLATE/{name}.yml").read_text(encoding="utf-8"))
    asked = {each["id"]: each for each in form["body"]}
    assert {"rule", "script", "version"} <= asked.keys()
    assert asked["script"]["validations"]["required"]
    assert {each["type"] for each in form["body"]} <= {"input", "textarea"}

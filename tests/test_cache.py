"""The cache on disk: a report that is remembered is the one that would be made, and nothing else is remembered."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import loopcheck_rules
import pytest
from click.testing import CliRunner, Result
from samples import BAD, CLIP, GOOD, PLAIN, RULES
from test_architecture import MODULES, imports

from loopcheck import cache, disk, job, packs, plain
from loopcheck.cache import Cache, NoCache, digest, edition
from loopcheck.check import check_file
from loopcheck.cli import program
from loopcheck.disk import Disk, sign
from loopcheck.rule import Confidence
from loopcheck.write import apply

ROOT = Path(__file__).parent.parent
HELPER = "def advance(optimizer, loss):\n    loss.backward()\n    optimizer.step()\n"
CALLS = BAD.replace("import torch\n", "import torch\nfrom helper import advance\n").replace(
    "    loss.backward()\n    optimizer.step()\n", "    advance(optimizer, loss)\n"
)
FILES = {"train.py": CALLS, "helper.py": HELPER, "other.py": BAD, "plain.py": PLAIN}

CELL: dict[str, object] = {"cell_type": "code", "source": BAD, "outputs": [], "execution_count": None, "metadata": {}}
NOTEBOOK = json.dumps({"cells": [CELL], "nbformat": 4, "nbformat_minor": 5, "metadata": {}})


class Calls:
    """Calls the command line, and tells which files were judged for it."""

    def __init__(self, judged: list[str]) -> None:
        self._judged = judged
        self.last: Result

    def __call__(self, *arguments: str) -> set[str]:
        self._judged.clear()
        self.last = CliRunner().invoke(program, ["check", "--jobs", "1", *arguments], catch_exceptions=False)
        return {Path(path).name for path in self._judged}


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Calls:
    """In an empty repository, with the tests' catalogue."""
    names = noted(monkeypatch, job, "check_file", lambda path, *_: str(path))
    monkeypatch.setattr(packs, "rules", lambda: RULES)
    monkeypatch.chdir(tmp_path)
    write({".git/HEAD": ""})
    return Calls(names)


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


def noted(monkeypatch: pytest.MonkeyPatch, home: Any, name: str, what: Callable[..., str]) -> list[str]:
    """What a function is called with, from now on."""
    calls: list[str] = []
    function = getattr(home, name)

    def instead(*arguments: Any) -> Any:
        calls.append(what(*arguments))
        return function(*arguments)

    monkeypatch.setattr(home, name, instead)
    return calls


def entries(kind: str = "report") -> list[Path]:
    return sorted(Path(".loopcheck_cache").glob(f"*/{kind}/*"))


# --- what is remembered is what would be told


@pytest.mark.parametrize("arguments", [(), ("--output-format", "json"), ("--output-format", "github"), ("-v",), ("--diff",)])
def test_a_second_run_judges_nothing_and_says_the_same(judged: Calls, arguments: tuple[str, ...]) -> None:
    write(FILES)
    write({"book.ipynb": NOTEBOOK, "broken.py": "optim = (\n"})
    fresh = judged(*arguments, "--no-cache", "."), judged.last.exit_code, judged.last.stdout, judged.last.stderr
    assert {"train.py", "helper.py", "other.py", "book.ipynb", "broken.py"} <= fresh[0]
    judged(".")
    again = judged(*arguments, "."), judged.last.exit_code, judged.last.stdout, judged.last.stderr
    assert again[1:] == fresh[1:]
    assert again[0] == set()


def test_every_report_comes_back_as_it_was() -> None:
    """Fixes, places in other files and notebooks among them."""
    rules = packs.rules()
    scripts = sorted(Path(loopcheck_rules.__path__[0]).glob("*/bad.py"))
    scripts += [ROOT / "fixtures/projects/late_unscale/train.py", *sorted((ROOT / "fixtures/notebooks").glob("*.ipynb"))]
    reports = [check_file(path, rules) for path in scripts]
    assert [plain.unpack(json.loads(json.dumps(plain.pack(report))), rules) for report in reports] == reports
    found = [finding for report in reports for finding in report.findings]
    assert any(finding.elsewhere for finding in found)
    assert any(finding.repair and finding.primary.cell for finding in found)


def test_what_is_less_sure_is_left_out_of_what_is_remembered(judged: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    less_sure = replace(CLIP, confidence=lambda witness: Confidence.MEDIUM)
    monkeypatch.setattr(packs, "rules", lambda: (less_sure,))
    write({"train.py": BAD})
    assert judged("train.py") == {"train.py"}
    assert judged.last.exit_code == 1
    assert judged("train.py", "--min-confidence", "high") == set()
    assert judged.last.exit_code == 0


def test_a_warm_run_loads_no_parser_and_starts_no_process(tmp_path: Path) -> None:
    notebooks = ROOT / "fixtures/notebooks"
    command = [sys.executable, "-X", "importtime", "-m", "loopcheck", str(notebooks), "--cache-dir", str(tmp_path / "kept")]
    first, second = (subprocess.run(command, cwd=tmp_path, capture_output=True, text=True) for _ in range(2))
    assert second.stdout == first.stdout
    assert "ipynb" in second.stdout
    assert "| libcst" in first.stderr.replace("|   ", "| ").replace("|  ", "| ")
    assert not {"libcst", "multiprocessing", "torch"} & {line.rpartition("|")[2].strip() for line in second.stderr.splitlines()}


def test_a_warm_run_costs_less_than_five_milliseconds_a_file(judged: Calls) -> None:
    """Files that import each other, so that there is much to ask."""
    count = 60
    lines = "\n".join(f"from helper{number} import advance as advance{number}" for number in range(20))
    write({f"helper{number}.py": HELPER for number in range(count)})
    write({f"train{number}.py": f"{lines}\n{CALLS}" for number in range(count)})
    judged(".")
    costs = []
    for _ in range(3):
        start = time.process_time()
        assert judged(".", "--output-format", "json") == set()
        costs.append(time.process_time() - start)
    assert min(costs) / (2 * count) < 0.005


# --- what makes a report worthless


def test_a_file_that_changed_is_judged_again_and_what_depends_on_it(judged: Calls) -> None:
    write(FILES)
    assert judged(".") == {"train.py", "helper.py", "other.py"}
    write({"other.py": GOOD})
    assert judged(".") == {"other.py"}
    write({"helper.py": HELPER + "\n"})
    assert judged(".") == {"train.py", "helper.py"}
    write({"plain.py": "print('still none')\n"})
    assert judged(".") == set()


def test_what_the_changed_file_does_is_told(judged: Calls) -> None:
    write(FILES)
    judged("train.py")
    assert judged.last.exit_code == 1
    write({"helper.py": HELPER.replace("    optimizer.step()\n", "")})
    judged("train.py")
    assert judged.last.exit_code == 0


def test_the_same_size_and_date_hide_no_change(judged: Calls) -> None:
    write(FILES)
    judged(".")
    before = os.stat("other.py")
    write({"other.py": BAD.replace("1.0", "2.0")})
    os.utime("other.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert os.stat("other.py").st_size == before.st_size
    assert judged(".") == {"other.py"}


def test_content_counts_and_no_date(judged: Calls) -> None:
    write(FILES)
    judged(".")
    for name in FILES:
        os.utime(name, (1, 1))
    assert judged(".") == set()
    write({"other.py": GOOD})
    write({"other.py": BAD})
    assert judged(".") == set()


def test_an_import_that_leads_elsewhere(judged: Calls) -> None:
    write({"train.py": CALLS, "src/other.py": PLAIN})
    judged("train.py")
    assert judged("train.py") == set()
    write({"src/helper.py": HELPER})
    assert judged("train.py") == {"train.py"}
    write({"helper.py": HELPER})
    assert judged("train.py") == {"train.py"}
    assert judged("train.py") == set()


def test_a_submodule_that_appears(judged: Calls) -> None:
    call = CALLS.replace("from helper import advance", "from tools import helper").replace("advance(", "helper.advance(")
    write({"train.py": call, "tools/__init__.py": ""})
    judged("train.py")
    assert judged("train.py") == set()
    write({"tools/helper.py": HELPER})
    assert judged("train.py") == {"train.py"}


def test_another_file_that_calls(judged: Calls) -> None:
    write({"helper.py": HELPER, "train.py": "import helper\n"})
    judged("helper.py")
    assert judged("helper.py") == set()
    write({"train.py": "import helper\nprint('a caller would say more')\n"})
    assert judged("helper.py") == set()
    write({"train.py": CALLS})
    assert judged("helper.py") == {"helper.py"}
    write({"train2.py": CALLS})
    assert judged("helper.py") == {"helper.py"}
    os.remove("train2.py")
    assert judged("helper.py") == {"helper.py"}


def test_a_harmless_file_that_trains_now(judged: Calls) -> None:
    """It need not be read as long as it holds no word of training, however it changes."""
    write({"train.py": BAD.replace("import torch\n", "import torch\nimport log\n") + "    log.say(optimizer)\n"})
    write({"log.py": "def say(x):\n    print(x)\n"})
    judged("train.py")
    write({"log.py": "def say(x):\n    x.step()\n    x.zero_grad()\n"})
    assert judged("train.py") == {"train.py"}


def test_a_file_that_only_leads_on_to_one_that_trains_now(judged: Calls) -> None:
    write({"train.py": BAD.replace("import torch\n", "import torch\nimport log\n") + "    log.say(optimizer)\n"})
    write({"log.py": "import inner\n\n\ndef say(x):\n    inner.say(x)\n", "inner.py": "def say(x):\n    print(x)\n"})
    judged("train.py")
    assert judged("train.py") == set()
    write({"inner.py": "def say(x):\n    x.step()\n    x.zero_grad()\n"})
    assert judged("train.py") == {"train.py"}


def test_the_path_to_show_and_the_rules(judged: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    write({**FILES, "inner/x.py": PLAIN})
    judged(".")
    assert judged("train.py") == set()
    assert judged("--select", "LC101", "train.py") == {"train.py"}
    monkeypatch.chdir("inner")
    assert judged("../train.py", "--cache-dir", "../.loopcheck_cache") == {"train.py"}
    assert " --> ../train.py:" in judged.last.stdout


def test_a_copy_of_a_project_is_another(judged: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    write({f"one/{name}": text for name, text in {**FILES, "pyproject.toml": "[tool.loopcheck]\n"}.items()})
    monkeypatch.chdir("one")
    judged("train.py")
    monkeypatch.chdir("..")
    shutil.copytree("one", "two")
    write({"two/helper.py": ""})
    monkeypatch.chdir("two")
    assert judged("train.py") == {"train.py"}


OPTIONS = """\
from torch import nn, optim
from inner import prepare


def setup(options, model):
    for part in options.names.split(","):
        if part == "x":
            options.x = 1
        elif part == "y":
            options.y = 2
        print(part)
    prepare(options, model)
"""
INNER = """\
from torch import nn


def prepare(options, model):
    # no optimizer here
    for part in options.text.split(","):
        if part == "a":
            options.a = 1
        elif part == "b":
            options.b = 2
        print(part)
"""
SETS_UP = """\
import torch
from torch import nn
from options import setup
from somewhere import loader, options

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
    setup(options, model)
"""


def test_a_summary_that_another_program_made_depends_on_what_that_looked_at(judged: Calls) -> None:
    write({"options.py": OPTIONS, "inner.py": INNER, "one.py": SETS_UP, "two.py": SETS_UP})
    judged(".")
    assert judged("two.py") == set()
    write({"inner.py": INNER + "    nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n"})
    assert judged("two.py") == {"two.py"}
    assert "LC101" in judged.last.stdout


def test_a_file_that_only_uses_the_same_summary_is_no_matter(judged: Calls) -> None:
    write({"options.py": OPTIONS, "inner.py": INNER, "one.py": SETS_UP, "two.py": SETS_UP})
    judged(".")
    write({"one.py": SETS_UP.replace("0.1", "0.2")})
    assert judged(".") == {"one.py"}


def test_other_code_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither an edit of this program nor one of a rule leaves a report standing."""
    rule, module = tmp_path / "rule.py", tmp_path / "loopcheck" / "read" / "reader.py"
    module.parent.mkdir(parents=True)
    names = []
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "loopcheck" / "cache.py"))
    for code, of_rule in (("a", "b"), ("ab", ""), ("b", "b"), ("a", "c")):
        module.write_text(code)
        rule.write_text(of_rule)
        names.append(edition([rule]))
    assert len(set(names)) == 4
    first, other = Cache(tmp_path / "kept", names[0]), Cache(tmp_path / "kept", names[1])
    first.put("report", digest(b""), 1)
    assert (first.get("report", digest(b"")), other.get("report", digest(b""))) == (1, None)


def test_the_edition_is_of_the_installed_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    packs.rules()
    files = packs.sources()
    assert Path(loopcheck_rules.__path__[0], "clip_after_step", "__init__.py") in files
    assert edition(files) == edition(reversed(files)) != edition(files[1:])


def test_an_error_of_ours_is_not_remembered(judged: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"train.py": BAD})
    with monkeypatch.context() as context:
        context.setattr(job, "check_file", lambda *_: 1 // 0)
        judged("train.py")
        assert judged.last.exit_code == 3
    assert judged("train.py") == {"train.py"}
    assert judged.last.exit_code == 1


def test_a_file_that_cannot_be_read_is_not_remembered(judged: Calls) -> None:
    os.symlink("nowhere.py", "train.py")
    judged("train.py")
    write({"nowhere.py": BAD})
    assert judged("train.py") == {"train.py"}


# --- entries


def spoil(file: Path, how: str) -> None:
    data = file.read_bytes()
    match how:
        case "truncated":
            file.write_bytes(data[: len(data) // 2])
        case "empty":
            file.write_bytes(b"")
        case "a bit":
            file.write_bytes(data.replace(b"already applied", b"already upplied"))
        case "nonsense":
            file.write_bytes(os.urandom(200))
        case "another's":
            shutil.copyfile(next(each for each in entries() if each != file), file)
        case _:  # whole, and written by a program that keeps other things
            Cache(file.parents[2], file.parents[1].name).put("report", file.name, json.loads(how))


@pytest.mark.parametrize("how", ["truncated", "empty", "a bit", "nonsense", "another's", "{}", "[[], []]", "[1, [[], 2], 3]"])
def test_a_spoilt_entry_is_none_and_is_replaced(judged: Calls, how: str) -> None:
    write({"train.py": BAD})
    judged("train.py")
    fresh = judged.last.stdout
    (entry,) = entries()
    write({"other.py": GOOD})
    judged("other.py")
    good = entry.read_bytes()
    spoil(entry, how)
    assert judged("train.py") == {"train.py"}
    assert judged.last.stdout == fresh
    assert entry.read_bytes() == good


@pytest.mark.parametrize(
    "question", [["__init__", "train.py"], ["_forget", "train.py"], ["locate", "train.py"], ["locate", "x", "", ""]]
)
def test_a_question_that_nobody_asks_is_no_entry(judged: Calls, question: list[str]) -> None:
    write({"train.py": BAD})
    judged("train.py")
    (entry,) = entries()
    kept = Cache(entry.parents[2], entry.parents[1].name)
    report, (asked, seen) = kept.get("report", entry.name)
    kind, file, *rest = question
    kept.put("report", entry.name, [report, [[*asked, [kind, file, [[rest, None]]]], seen]])
    assert judged("train.py") == {"train.py"}


def test_an_entry_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, key = Cache(tmp_path / "kept", digest(b"x")), digest(b"")
    kept.put("index", key, ["before"])

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    kept.put("index", key, ["after"])
    assert kept.get("index", key) == ["before"]
    assert kept.trouble == f"{tmp_path / 'kept'}: the cache cannot be written: No space left on device"
    assert [file.name for file in (tmp_path / "kept").rglob("*~")] == []


def test_many_may_write_at_once(tmp_path: Path) -> None:
    """Each in a process of its own; whoever reads meanwhile finds one of the values, or nothing before the first."""
    code = (
        "import sys; from pathlib import Path; from loopcheck.cache import Cache\n"
        "kept = Cache(Path('kept'), 'e' * 32)\n"
        "for _ in range(200): kept.put('index', 'k', [sys.argv[1]] * 5000)\n"
        "assert not kept.trouble, kept.trouble\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, name], cwd=tmp_path) for name in "abc"]
    kept = Cache(tmp_path / "kept", "e" * 32)
    found = []
    while any(writer.poll() is None for writer in writers):
        found.append(kept.get("index", "k"))
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    told = [each for each in found if each is not None]
    assert None not in found[found.index(told[0]) :]
    assert all(each in (["a"] * 5000, ["b"] * 5000, ["c"] * 5000) for each in told)


def test_what_a_reader_keeps_by_content(tmp_path: Path) -> None:
    kept = Cache(tmp_path / "kept", edition([]))
    assert kept.get("index", digest(b"x = 1")) is None
    kept.put("index", digest(b"x = 1"), {"binds": ["x"], "calls": []})
    assert kept.get("index", digest(b"x = 1")) == {"binds": ["x"], "calls": []}
    assert kept.get("lowered", digest(b"x = 1")) is None


def test_nothing_that_is_read_back_is_executed() -> None:
    runs = ("loopcheck.record", "loopcheck.auditing")  # who has run a program reads what that run wrote
    linting = [path for name, path in MODULES.items() if not name.startswith(runs)]
    used = {name.partition(".")[0] for path in linting for name, _ in imports(path)}
    assert not used & {"pickle", "marshal", "shelve", "dill", "sqlite3", "dbm"}


def test_old_editions_go(tmp_path: Path) -> None:
    names = [digest(bytes([number])) for number in range(cache.MOST_EDITIONS + 2)]
    for number, name in enumerate(names):
        Cache(tmp_path / "kept", name).put("index", digest(b""), number)
        os.utime(tmp_path / "kept" / name, (number, number))
    left = [Cache(tmp_path / "kept", name).get("index", digest(b"")) for name in names]
    assert left == [None, None, *range(2, len(names))]


# --- asking files


def test_each_file_is_read_once_however_many_ask(judged: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"helper.py": HELPER, **{f"train{number}.py": CALLS for number in range(5)}})
    judged(".")
    read = noted(monkeypatch, Disk, "_read", lambda disk, file: file.name)
    assert judged(".") == set()
    assert len(read) == len(set(read))
    hashed = noted(monkeypatch, disk, "digest", lambda data: data)
    assert judged(".") == set()
    assert len(hashed) <= 6


def settle(file: Path) -> None:
    """Let so much time pass, by the file's dates, that its sign counts."""
    while sign(file) is None:
        time.sleep(0.1)


@pytest.fixture
def settled(tmp_path: Path) -> Path:
    file = tmp_path / "train.py"
    file.write_text(BAD)
    settle(file)
    return file


def test_a_sign_is_the_same_only_of_the_same_content(settled: Path) -> None:
    before, was = sign(settled), os.stat(settled)
    assert before == sign(settled)
    settled.write_text(BAD.replace("1.0", "2.0"))
    os.utime(settled, ns=(was.st_atime_ns, was.st_mtime_ns))
    assert sign(settled) is None, "what has just been written may be written again without a trace"
    settle(settled)
    assert sign(settled) != before


def test_what_is_written_while_it_is_read_has_no_sign_of_it(settled: Path) -> None:
    first = Disk()
    first.data(settled)
    was = first.sign(settled)
    settled.write_text(GOOD)
    settle(settled)
    assert first.sign(settled) == was != sign(settled)
    other = Disk()
    other.holds(settled, BAD.encode())
    assert other.sign(settled) is None


def test_importers_are_known_by_their_signs(judged: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one file that is judged in a large project, the others need not even be read."""
    write({"helper.py": HELPER, "train.py": CALLS, **{f"inner/x{number}.py": "import helper\n" for number in range(9)}})
    settle(Path("inner/x8.py"))
    judged("helper.py")
    read = noted(monkeypatch, Disk, "_read", lambda disk, file: file.name)
    assert judged("helper.py") == set()
    assert read == ["helper.py"]
    read.clear()
    write({"inner/x3.py": "import helper\nimport torch\n"})
    assert judged("helper.py") == set()
    assert set(read) == {"helper.py", "x3.py"}
    write({"inner/x3.py": CALLS})
    assert judged("helper.py") == {"helper.py"}


# --- the folder


def test_the_folder_is_beside_the_settings_and_ignores_itself(judged: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"train.py": BAD, "inner/train.py": BAD})
    monkeypatch.chdir("inner")
    judged("train.py")
    assert set(os.listdir()) == {"train.py", ".loopcheck_cache"}
    assert Path(".loopcheck_cache/.gitignore").read_text() == "*\n"
    assert Path(".loopcheck_cache/CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")
    write({"../pyproject.toml": "[tool.loopcheck]\n"})
    judged("train.py")
    assert Path("../.loopcheck_cache").is_dir()
    write({"../pyproject.toml": "[tool.loopcheck]\ncache-dir = 'kept/here'\n"})
    judged("train.py")
    assert Path("../kept/here/CACHEDIR.TAG").is_file()
    judged("train.py", "--cache-dir", "mine")
    assert Path("mine/CACHEDIR.TAG").is_file()


def test_git_does_not_see_it(judged: Calls) -> None:
    shutil.rmtree(".git")
    subprocess.run(["git", "init", "-q", "."], check=True)
    write({"train.py": BAD})
    judged("train.py")
    assert entries()
    assert subprocess.run(["git", "status", "--porcelain"], capture_output=True, text=True).stdout == "?? train.py\n"


def test_without_a_cache_nothing_is_read_or_written(judged: Calls) -> None:
    write({"train.py": BAD})
    judged("--no-cache", "train.py")
    assert not Path(".loopcheck_cache").exists()
    judged("train.py")
    assert judged("--no-cache", "train.py") == {"train.py"}


def test_nothing_is_kept_where_nothing_is_worth_reading(judged: Calls) -> None:
    write({"plain.py": PLAIN})
    assert judged("plain.py") == set()
    assert not Path(".loopcheck_cache").exists()


def test_a_folder_that_cannot_be_written_is_no_error(judged: Calls) -> None:
    write({"train.py": GOOD, "file": ""})
    assert judged("train.py", "--cache-dir", "file/cache") == {"train.py"}
    assert (judged.last.exit_code, judged.last.stderr) == (0, "")
    judged("-v", "train.py", "--cache-dir", "file/cache")
    assert judged.last.exit_code == 0
    assert "file/cache: the cache cannot be written: Not a directory" in judged.last.stderr


def test_a_folder_of_somebody_else_is_left_alone(judged: Calls) -> None:
    write({"train.py": BAD, "src/mine.py": PLAIN, "CACHEDIR.TAG/x": ""})
    for arguments in (["check", "train.py"], ["clean"]):
        result = CliRunner().invoke(program, [*arguments, "--cache-dir", "src"])
        assert result.exit_code == 2
        assert "src is no cache of loopcheck, and is left as it is" in result.stderr
    assert os.listdir("src") == ["mine.py"]
    with pytest.raises(NoCache):
        cache.clean(Path("train.py"))


def test_clean(judged: Calls) -> None:
    write({"train.py": BAD})
    clean: Callable[[], Result] = lambda: CliRunner().invoke(program, ["clean"], catch_exceptions=False)  # noqa: E731
    judged("train.py")
    assert clean().stdout == "Removed .loopcheck_cache.\n"
    assert not Path(".loopcheck_cache").exists()
    assert clean().stdout == "There is no cache at .loopcheck_cache.\n"
    assert judged("train.py") == {"train.py"}


# --- mending


def test_what_is_mended_is_judged_anew(judged: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known tells only whether there is something to mend."""
    write({"train.py": BAD, "good.py": GOOD})
    judged(".")
    anew = noted(monkeypatch, apply, "check_source", lambda data, path, *_: path)
    assert judged("--fix", ".") == set()
    assert set(anew) == {"train.py"}
    assert Path("train.py").read_text() == GOOD
    assert judged(".") == {"train.py"}
    assert judged("--fix", ".") == set()
    assert judged.last.exit_code == 0


def test_what_is_known_of_a_file_falls_with_what_is_mended_before(judged: Calls) -> None:
    """Even where that is not on disk."""
    lines = BAD.splitlines(keepends=True)
    loop = "".join(f"    {line}" for line in lines[5:])
    write({"a.py": f"from torch import nn\n\n\ndef run(model, optimizer, loader):\n{loop}"})
    write({"b.py": "".join([*lines[:5], "from a import run\nrun(model, optimizer, [])\n"])})
    fresh = judged("--diff", "--no-cache", "-v", "."), judged.last.stdout, judged.last.stderr
    assert "-        nn.utils" in fresh[1]
    assert judged(".") == {"a.py", "b.py"}
    again = judged("--diff", "-v", "."), judged.last.stdout, judged.last.stderr
    assert again[0] == {"b.py"}
    assert again[1:] == fresh[1:]

"""Files that are hardly Python, and folders that change under the walk: a verdict or a clear word, and never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from samples import BAD, CLIP_ROW, PLAIN, RULES

from loopcheck import files, packs
from loopcheck.cli import program

HINT = "optim"  # without a word of training code nothing is parsed


@pytest.fixture(autouse=True)
def _catalogue(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(packs, "rules", lambda: RULES)
    monkeypatch.chdir(tmp_path)


def judge(*arguments: str) -> tuple[int, list[tuple[str, int]], str]:
    """The exit code, the name and row of each entry, and the first message."""
    result = CliRunner().invoke(program, ["check", "--output-format", "json", *arguments], catch_exceptions=False)
    assert "Traceback" not in result.output
    told = json.loads(result.stdout) if result.exit_code != 2 else []
    message = told[0]["message"] if told else result.stderr
    return result.exit_code, [(entry["name"], entry["location"]["row"]) for entry in told], message


def judge_bytes(data: bytes) -> tuple[int, list[tuple[str, int]], str]:
    """As `judge`, of one file, which stays as it is."""
    Path("train.py").write_bytes(data)
    outcome = judge("train.py")
    assert Path("train.py").read_bytes() == data
    return outcome


@pytest.mark.parametrize("data", [b"", b"\n", b"# optim\n", b"\xef\xbb\xbf", b'"""optim"""', b"\f", b"# optim", PLAIN.encode()])
def test_next_to_nothing(data: bytes) -> None:
    assert judge_bytes(data)[:2] == (0, [])


FOUND = (1, [("clip-after-step", CLIP_ROW)])


@pytest.mark.parametrize(
    "data",
    [
        BAD.encode(),
        BAD.replace("\n", "\r\n").encode(),
        BAD.replace("\n", "\r").encode(),
        BAD.encode("utf-8-sig"),
        BAD.rstrip("\n").encode(),
        BAD.replace("    ", "\t").encode(),
        BAD.replace("import torch\n", "import torch  # \u00e9, 学習, 😀\n").encode(),
        BAD.replace("import torch\n", "import torch\f\n").encode(),
        BAD.replace("import torch\n", "# -*- coding: future_fstrings -*-; é\n")
        .replace("from torch", "import torch; from torch")
        .encode(),
        BAD.replace("import torch\n", "# coding: latin-1\n")
        .replace("from torch", "import torch; '\u00e9'; from torch")
        .encode("latin-1"),
        BAD.replace("import torch\n", '"""\u2028 and \x85 and \x1c end no line"""; import torch\n').encode(),
    ],
    ids=["lf", "crlf", "cr", "bom", "no newline", "tabs", "wide", "form feed", "dialect", "latin-1", "unicode line ends"],
)
def test_the_same_verdict_however_it_is_written(data: bytes) -> None:
    assert judge_bytes(data)[:2] == FOUND


@pytest.mark.parametrize(
    ("data", "name", "row", "told"),
    [
        (b"optim = (\n", "syntax-error", 1, "'(' was never closed"),
        (b"x = 1\nif optim\n    y = 2\n", "syntax-error", 2, "expected ':'"),
        (b"if optim:\nx = 1\n", "syntax-error", 2, "expected an indented block"),
        (b"if optim:\n\tx = 1\n        y = 2\n", "syntax-error", 3, "inconsistent use of tabs"),
        (b"optim = 'never\n", "syntax-error", 1, "unterminated string"),
        (b"print 'optim'\n", "syntax-error", 1, "Missing parentheses"),
        (b"x = 1\noptim\0\n", "syntax-error", 2, "null bytes"),
        (b"x = 1\n# optim \xe9\n", "unreadable", 2, "byte 14 is not utf-8"),
        (b"# coding: utf-7777\noptim\n", "unreadable", 1, "the encoding cannot be told: unknown encoding"),
        (b"\xef\xbb\xbf# coding: latin-1\noptim\n", "unreadable", 1, "the encoding cannot be told"),
        ("import torch.optim\n".encode("utf-16"), "unreadable", 1, "the encoding cannot be told"),
    ],
)
def test_what_cannot_be_read_is_a_finding_of_its_own(data: bytes, name: str, row: int, told: str) -> None:
    status, found, message = judge_bytes(data)
    assert (status, found) == (3, [(name, row)])
    assert told in message


DEEP = {
    "brackets": "x = " + "[" * 2000 + "]" * 2000,
    "calls": "x = " + "f(" * 2000 + ")" * 2000,
    "sum": "x = " + " + ".join(["a"] * 8000),
    "sum over lines": "x = (\n" + "a +\n" * 8000 + "a)",
    "elif": "if a:\n    pass\n" + "elif b:\n    pass\n" * 2000,
    "attributes": "x = a" + ".b" * 3000,
    "chained calls": "x = a" + ".b()" * 3000,
    "subscripts": "x = a" + "[0]" * 3000,
    "not": "x = " + "not " * 3000 + "a",
    "minus": "x = " + "-" * 20000 + "a",
    "lambda": "x = " + "lambda: " * 2000 + "a",
    "else": "x = " + "a if b else " * 2000 + "c",
    "strings": "x = (\n" + "'a'\n" * 8000 + ")",
    "comprehension": "x = [a " + "for b in c " * 2000 + "]",
    "f-string": "x = f'{" + "(" * 2000 + "1" + ")" * 2000 + "}'",
    "indents": "".join(" " * depth + "if a:\n" for depth in range(500)) + " " * 500 + "pass",
}


FLAT = {"strings", "comprehension"}
"""Deep to libcst alone, which never sees them: Python reads them, and they are judged."""


@pytest.mark.parametrize("shape", DEEP)
def test_what_would_crash_the_parser_is_refused(shape: str) -> None:
    """In a process of its own, which a segmentation fault would end."""
    Path("train.py").write_text(f"import torch.optim\n{DEEP[shape]}\n")
    Path("other.py").write_text(BAD)
    process = subprocess.run(
        [sys.executable, "-m", "loopcheck", ".", "--output-format", "json", "--select", "clip-after-step"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert process.stderr == ""
    first, *others = json.loads(process.stdout)
    assert (first["filename"], first["name"]) == ("other.py", "clip-after-step")
    assert process.returncode == (1 if shape in FLAT else 3)
    assert [(each["filename"], each["code"]) for each in others] == ([] if shape in FLAT else [("train.py", "LC000")])
    assert all(each["name"] in ("too-deep", "syntax-error") for each in others)


@pytest.mark.parametrize(
    "code",
    [
        "x = {" + "'a': b.c(1), " * 2000 + "}",
        "x = [\n" + "    (1, -2.5, 'text'),\n" * 3000 + "]",
        "if a:\n    pass\nelif b:\n    pass\n" * 300,
        "x = '''" + "((((" * 500 + "'''",
        "# " + "((((" * 500,
        "x = a + b; " * 400,
    ],
)
def test_long_is_not_deep(code: str) -> None:
    assert judge_bytes(f"import torch.optim\n{code}\n".encode())[:2] == (0, [])


def test_a_long_file_takes_its_time_and_no_more() -> None:
    body = BAD.partition("for x")[0] + "".join(
        f"def f{number}(x):\n    y = x + {number}\n    return y.reshape(1, -1)\n\n" for number in range(5000)
    )
    Path("train.py").write_text(body + "for x" + BAD.partition("for x")[2])
    started = time.process_time()
    status, found, _ = judge("train.py")
    assert time.process_time() - started < 60
    assert (status, [name for name, _ in found]) == (1, ["clip-after-step"])


def test_folders_of_all_kinds() -> None:
    Path("pkg.py").mkdir()
    Path("pkg.py/train.py").write_text(BAD)
    Path("empty").mkdir()
    Path("loop").symlink_to(".")
    Path("round.py").symlink_to("round.py")
    assert judge("pkg.py")[:2] == FOUND
    assert judge("empty")[0] == 2
    assert judge("missing")[0] == 2
    status, found, _ = judge(".")
    assert (status, found) == (3, [("clip-after-step", CLIP_ROW), ("unreadable", 1)])
    assert "symbolic links" in CliRunner().invoke(program, ["round.py"]).stdout


def test_a_link_is_read_as_the_file_it_names() -> None:
    Path("real").mkdir()
    Path("real/train.py").write_text(BAD)
    Path("link.py").symlink_to("real/train.py")
    assert judge("link.py")[:2] == FOUND


def test_a_folder_that_cannot_be_searched_is_told_and_the_others_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("closed").mkdir()
    Path("train.py").write_text(BAD)
    scandir, read_bytes = os.scandir, Path.read_bytes

    def open_(path: Path) -> Path:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return path

    monkeypatch.setattr(os, "scandir", lambda path: scandir(open_(path)))
    monkeypatch.setattr(Path, "read_bytes", lambda path: read_bytes(open_(path)))
    status, found, message = judge(".")
    assert (status, found) == (3, [("unreadable", 1), ("clip-after-step", CLIP_ROW)])
    assert message == "Permission denied"


def test_a_pipe_is_not_waited_for() -> None:
    os.mkfifo("pipe.py")
    os.mkfifo(".gitignore")
    Path("train.py").write_text(BAD + "import pipe\n")
    assert judge(".")[:2] == FOUND
    status, found, message = judge("train.py", "pipe.py")
    assert (status, found) == (3, [("unreadable", 1), ("clip-after-step", CLIP_ROW)])
    assert message == "neither a file nor a folder"


def test_a_file_that_vanishes(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("train.py").write_text(BAD)
    monkeypatch.setattr(files, "find", lambda *_: [Path("gone.py"), Path("train.py")])
    status, found, message = judge("train.py")
    assert (status, found) == (3, [("unreadable", 1), ("clip-after-step", CLIP_ROW)])
    assert message == "No such file or directory"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_no_permission() -> None:
    Path("train.py").write_text(BAD)
    Path("train.py").chmod(0)
    assert judge("train.py") == (3, [("unreadable", 1)], "Permission denied")


def test_a_file_that_cannot_be_changed_is_left_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from loopcheck.write import overwrite

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(overwrite, "_put", refuse)
    Path("train.py").write_text(BAD)
    status, found, message = judge("train.py", "--fix")
    assert (status, found) == (3, [("unwritable", 1), ("clip-after-step", CLIP_ROW)])
    assert message == "the file cannot be changed: Permission denied"


def test_a_name_that_is_no_text() -> None:
    Path(os.fsdecode(b"tr\xffin.py")).write_text(BAD)
    assert judge(".")[0] == 1
    for output_format in ("full", "github"):
        process = subprocess.run(
            [sys.executable, "-m", "loopcheck", ".", "--output-format", output_format, "--select", "clip-after-step"],
            capture_output=True,
            check=False,
        )
        assert (process.returncode, process.stderr) == (1, b"")


def test_an_ascii_terminal() -> None:
    Path("train.py").write_text(
        BAD.replace("x, y in loader", "学, 習 in loader").replace("model(x), y", "model(学), 習"), encoding="utf-8"
    )
    process = subprocess.run(
        [sys.executable, "-m", "loopcheck", "train.py", "--select", "clip-after-step"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert (process.returncode, process.stderr) == (1, b"")

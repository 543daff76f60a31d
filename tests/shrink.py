"""Shrinks a program in which a finding stands to the lines that it needs: what a report of strangers' code is understood by.

    python tests/shrink.py PATH CODE                   a file or a folder, without what the finding can do without
    python tests/shrink.py FOLDER CODE --file a/b.py   the same where only one file of the folder is asked
    python tests/shrink.py PATH CODE --at 'clip_'      the finding whose row has this text
    python tests/shrink.py PATH CODE --least low       one that is of low confidence
    python tests/shrink.py PATH CODE --keep unscale_   what should have kept it away stays, too

It works on a copy, and prints what is left. Files and statements are taken away, and blocks opened, one after another, until none
can be spared. What is left shows which facts the finding rests on, and most often which one was not understood.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from loopcheck.cli import program


@dataclass(frozen=True)
class Wanted:
    """The finding that is to stay, of the program in a folder."""

    folder: Path
    code: str
    file: str = ""
    at: str = ""
    least: str = "medium"
    keep: tuple[str, ...] = ()

    @property
    def files(self) -> list[Path]:
        return sorted(self.folder.rglob("*.py"))

    def load(self) -> None:
        """Ask here once, so that what children are forked of has imported what they need, and they need not each."""
        list(self._told())

    def stands(self) -> bool:
        """Whether it is told of the files as they are now, asked in a child of this process, which has loaded all it needs."""
        reading, writing = os.pipe()
        if not os.fork():
            with contextlib.suppress(Exception):
                os.write(writing, b"y" if any(self._is_it(*each) for each in self._told()) else b"n")
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as answer:
            stands = answer.read() == b"y"
        os.wait()
        return stands

    def _is_it(self, row: int, text: str) -> bool:
        whole = "\n".join(path.read_text() for path in self.files)
        return self.at in text.splitlines()[row - 1] and all(part in whole for part in self.keep)

    def _told(self) -> Iterator[tuple[int, str]]:
        """The row of each finding, and the text of its file."""
        said = io.StringIO()
        options = ["--no-cache", "--exit-zero", "--jobs", "1", "--min-confidence", self.least, "--select", self.code]
        with contextlib.suppress(SystemExit), contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
            program(["check", *options, "--output-format", "json", str(self.folder / self.file)], standalone_mode=False)
        for finding in json.loads(said.getvalue()):
            yield finding["location"]["row"], Path(finding["filename"]).read_text()


def shrink(wanted: Wanted) -> None:
    """Leaves of the files of a program what a finding needs."""
    smaller = True
    while smaller:
        _without_files(wanted)
        smaller = max([_without_statements(path, wanted) for path in wanted.files], default=False)


def _without_files(wanted: Wanted) -> None:
    """Takes files away, by halves down to one by one."""
    paths = wanted.files
    size = len(paths)
    while size:
        for start in range(0, len(paths), size):
            texts = {path: path.read_text() for path in paths[start : start + size] if path.exists()}
            for path in texts:
                path.unlink()
            if not wanted.stands():
                for path, text in texts.items():
                    path.write_text(text)
        size //= 2


def _without_statements(path: Path, wanted: Wanted) -> bool:
    """Takes statements away, the largest parts first, as long as the finding stands; whether any could be spared."""
    number, spared = 0, False
    while True:
        before = path.read_text()
        tree = next(islice(_trials(ast.parse(before)), number, None), None)
        if tree is None:
            return spared
        trial = ast.unparse(tree)
        path.write_text(trial)
        if trial != before and wanted.stands():
            spared = True
        else:
            path.write_text(before)
            number += 1


def _trials(tree: ast.Module) -> Iterator[ast.Module]:
    """A module without some of its statements, or with a block in the place of the statement that it is of, one after another."""
    for node, field in [(node, field) for node in ast.walk(tree) for field in ("body", "orelse", "finalbody")]:
        block = getattr(node, field, None)
        if not isinstance(block, list) or not block or (len(block) == 1 and isinstance(block[0], ast.Pass)):
            continue
        size = len(block)
        while size:
            for start in range(0, len(block), size):
                setattr(node, field, (block[:start] + block[start + size :]) or ([ast.Pass()] if field == "body" else []))
                yield tree
            size //= 2
        for place, inner in enumerate(block):
            if isinstance(inner, (ast.If, ast.With, ast.Try, ast.For, ast.While)):
                setattr(node, field, [*block[:place], *inner.body, *block[place + 1 :]])
                yield tree
        setattr(node, field, block)


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("code")
    parser.add_argument("--file", default="", help="of a folder, the file that is asked")
    parser.add_argument("--at", default="", help="a part of the finding's row")
    parser.add_argument("--keep", action="append", default=[], help="a text that is to stay, in whichever file")
    parser.add_argument("--least", default="medium", choices=["low", "medium", "high"])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shrunk-") as made:
        folder = Path(made)
        if asked.path.is_dir():
            shutil.copytree(asked.path, folder, dirs_exist_ok=True)
        else:
            shutil.copy(asked.path, folder)
        wanted = Wanted(folder, asked.code, asked.file, asked.at, asked.least, tuple(asked.keep))
        for path in wanted.files:
            try:
                path.write_text(ast.unparse(ast.parse(path.read_text())))  # as every trial will be written
            except (SyntaxError, UnicodeDecodeError):
                path.unlink()
        wanted.load()
        if not wanted.stands():
            kept = f" with {', '.join(map(repr, asked.keep))} in it, quoted as Python quotes" if asked.keep else ""
            parser.error(f"{asked.code} is not told of {asked.path}{kept}")
        shrink(wanted)
        for path in wanted.files:
            print(f"# {path.relative_to(folder)}\n{path.read_text()}\n")


if __name__ == "__main__":
    run()

"""Public sources, pinned: releases from PyPI and commits from GitHub, as archives of which only the Python files are unpacked.

Nothing is installed. What is fetched is verified by who fetches it: pip by the digest of the pin, git by the commit asked for.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

WORLD = Path(__file__).parent / "world"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "loopcheck-world"


@dataclass(frozen=True)
class Pin:
    """One version of a package: `timm==1.0.19 sha256:…` on PyPI, `karpathy/nanoGPT@<commit>` on GitHub."""

    name: str
    version: str
    digest: str = ""

    def __str__(self) -> str:
        return f"{self.name}@{self.version}" if "/" in self.name else f"{self.name}=={self.version}"

    @classmethod
    def read(cls, line: str) -> Pin:
        """The pin of a line. Raises ValueError where it pins nothing."""
        release, _, digest = line.partition(" ")
        name, _, version = release.partition("@" if "/" in release else "==")
        if not version or ("/" in name) == bool(digest):
            raise ValueError(f"not a pin: {line!r}")
        return cls(name, version, digest)


def pins(text: str) -> list[Pin]:
    """The pin of each line that is neither empty nor a comment."""
    return [Pin.read(line) for line in text.splitlines() if line and not line.startswith("#")]


def packages(world: Path = WORLD) -> list[Pin]:
    """All that are pinned."""
    return pins((world / "packages.txt").read_text(encoding="utf-8"))


@contextmanager
def unpacked(pin: Pin, cache: Path) -> Iterator[Path]:
    """The Python files of a package, in a folder for the time being, under the paths that the package gives them."""
    with tempfile.TemporaryDirectory() as folder, tarfile.open(archive(pin, cache)) as opened:
        opened.extractall(folder, members=filter(_is_python, opened), filter="data")
        (tree,) = Path(folder).iterdir()
        (tree / ".git").mkdir()  # it is a project, whatever else it has to tell so
        yield tree


def archive(pin: Pin, cache: Path) -> Path:
    """The archive of a package, all in one folder; fetched where the cache lacks it."""
    kept = cache / f"{str(pin).replace('/', '+')}.tar.gz"
    if not kept.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            os.replace((_from_github if "/" in pin.name else _from_pypi)(pin, Path(folder)), kept)
    return kept


def _is_python(member: tarfile.TarInfo) -> bool:
    return member.isfile() and member.name.endswith(".py")


def _from_pypi(pin: Pin, folder: Path) -> Path:
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{pin} --hash={pin.digest}\n", encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-binary", ":all:", "--no-deps", "--require-hashes"]
    _run([*pip, "-d", str(folder), "-r", str(wanted)])
    (fetched,) = folder.glob("*.tar.gz")
    return fetched


def _from_github(pin: Pin, folder: Path) -> Path:
    git = ["git", "-C", str(folder)]
    fetched = folder / "fetched.tar.gz"
    _run([*git, "init", "--quiet", "--bare"])
    _run([*git, "fetch", "--quiet", "--depth=1", f"https://github.com/{pin.name}", pin.version])
    _run([*git, "archive", "--prefix=sources/", f"--output={fetched}", "FETCH_HEAD", "--", "*.py"])
    return fetched


def _run(command: Sequence[str]) -> None:
    subprocess.run(command, check=True, stdout=sys.stderr)

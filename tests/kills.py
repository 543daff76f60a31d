"""Kill `check --fix` over and over, at any moment, and look at what it leaves: every file is the old one or the new one, and two
that are mended together are both.

    python tests/kills.py          1,000 times
    python tests/kills.py 50       so many

A third of the processes mend a folder, where most of the time goes by before anything is written; others write all the time, or
two files at a time.
Exit status 1 where a file is damaged, or one is left over.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

FILES = 6
MORE = "# what makes a file longer than one page of memory\n" * 400


def kills(times: int, seed: int = 0) -> list[str]:
    """What was wrong after so many kills."""
    from samples import BAD, GOOD

    from loopcheck.read import program  # noqa: F401  loaded once, before there are copies of this process
    from loopcheck.write import apply, plan  # noqa: F401

    old, new = (BAD + MORE).encode(), (GOOD + MORE).encode()
    chance = random.Random(seed)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        deeds = (_mends, _writes, _writes_both)
        whole = {deed: _seconds(deed, folder, old) for deed in deeds}
        for at in range(times):
            deed = deeds[at % len(deeds)]
            names = _furnished(folder, old)
            _killed(partial(deed, folder, old, new), chance.uniform(0, 1.1 * whole[deed]))
            wrong += _damage(folder, names, (old, new))
            if deed is _writes_both and len({path.read_bytes() for path in _both(folder)}) > 1:
                wrong.append("one of two is written")
    return wrong


def _furnished(folder: Path, data: bytes) -> set[str]:
    """Files to mend, one of them with two names; returns the names."""
    for entry in folder.iterdir():
        entry.unlink()
    for number in range(FILES):
        (folder / f"train{number}.py").write_bytes(data)
    os.link(folder / "train0.py", folder / "other")
    return {entry.name for entry in folder.iterdir()}


def _mends(folder: Path, old: bytes, new: bytes) -> None:
    from samples import CLIP

    from loopcheck.job import Job, work

    work(sorted(folder.glob("*.py")), Job([CLIP], mend=True))


def _writes(folder: Path, old: bytes, new: bytes) -> None:
    from loopcheck.write.overwrite import overwrite

    for _ in range(2):
        for before, after in ((old, new), (new, old)):
            for path in folder.glob("*.py"):
                overwrite(path, after, before)


def _writes_both(folder: Path, old: bytes, new: bytes) -> None:
    from loopcheck.write.overwrite import overwrite_all

    for _ in range(4):
        for before, after in ((old, new), (new, old)):
            overwrite_all([(path, after, before) for path in _both(folder)])


def _both(folder: Path) -> list[Path]:
    """Two files that belong together."""
    return [folder / "train1.py", folder / "train2.py"]


def _seconds(deed: Callable[[Path, bytes, bytes], None], folder: Path, old: bytes) -> float:
    """How long it takes where nobody disturbs it."""
    from samples import GOOD

    _furnished(folder, old)
    started = time.monotonic()
    child = _child(lambda: deed(folder, old, (GOOD + MORE).encode()))
    _, status = os.waitpid(child, 0)
    assert status == 0
    return time.monotonic() - started


def _killed(do: Callable[[], None], after: float) -> None:
    """Start, kill, and wait for whoever is left of it: they hold the pipe open."""
    ours, theirs = os.pipe()
    child = _child(do)
    os.close(theirs)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(ours, "rb") as left:
        left.read()


def _child(do: Callable[[], None]) -> int:
    child = os.fork()
    if not child:
        status = 1
        try:
            do()
            status = 0
        finally:
            os._exit(status)
    return child


def _damage(folder: Path, names: set[str], whole: tuple[bytes, ...]) -> Iterator[str]:
    yield from (f"{name} is left over" for name in {*os.listdir(folder)} - names)
    yield from (f"{name} is damaged" for name in names if (folder / name).read_bytes() not in whole)
    if not (folder / "other").samefile(folder / "train0.py"):
        yield "two names are two files"


def main(arguments: list[str]) -> int:
    sys.path[:0] = [str(Path(__file__).parent.parent / each) for each in ("src", "rules")]
    times = int(arguments[0]) if arguments else 1000
    wrong = kills(times)
    print("\n".join([*wrong, f"{times} kills, {len(wrong)} times something was wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Places in the user's code, found from the frames of a running program."""

from __future__ import annotations

import ast
import importlib.util
import linecache
import site
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

_PACKAGE = str(Path(__file__).resolve().parent.parent)
_TORCH = importlib.util.find_spec("torch")  # where it is, without loading it: who judges a record needs no torch
_BELOW = ("<loopcheck", _PACKAGE, *(_TORCH.submodule_search_locations or () if _TORCH else ()))


@dataclass(frozen=True)
class Site:
    """A statement of the user's code, together with the calls that led to it.

    stack: file and line of every user frame around it, the innermost first: a helper called from two lines is two sites.
    functions, calls: the name of each frame's function, and what it is calling.
    """

    file: str
    line: int
    text: str
    stack: tuple[tuple[str, int], ...] = ()
    functions: tuple[str, ...] = field(default=(), compare=False)
    calls: tuple[str, ...] = field(default=(), compare=False)

    @property
    def place(self) -> tuple[str, int]:
        """The line, whichever way the run came there."""
        return self.file, self.line

    @property
    def row(self) -> int:
        return self.line

    @property
    def caller(self) -> Site | None:
        """The line of the call that led to the function; None of what stands in none."""
        outer = self.stack[1:]
        return Site(*outer[0], self.calls[1], outer, self.functions[1:], self.calls[1:]) if outer else None

    @property
    def discards(self) -> bool:
        """What the call gives is not looked at: it is the whole statement."""
        try:
            (statement,) = ast.parse(self.text).body
        except (SyntaxError, ValueError):
            return False
        alone = linecache.getline(self.file, self.line).split("  #")[0].strip() == self.text
        return alone and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)


NOWHERE = Site("", 0, "code out of sight")


class Sites:
    """Which frames are the user's, and the site that a stack of them stands for.

    home: the folder of the script. What lies there is the user's even inside an environment's library folder.
    """

    def __init__(self, home: str) -> None:
        self._home = home
        self._libraries = _libraries()
        self._mine: dict[CodeType, bool] = {}
        self._known: dict[tuple[tuple[CodeType, int], ...], Site] = {}

    def here(self, making: object = None) -> Site:
        """The site of the innermost user frame; of what calls the constructor while an object is `making` itself."""
        frames = self.frames()
        while making is not None and frames and _constructs(frames[0], making):
            frames = frames[1:]
        if not frames:
            return NOWHERE
        key = tuple((frame.f_code, frame.f_lasti) for frame in frames)
        if key not in self._known:
            self._known[key] = _site(frames)
        return self._known[key]

    def defines(self, kind: Any) -> bool:
        """The class or function is the user's."""
        file = getattr(sys.modules.get(kind.__module__), "__file__", None)
        return file is not None and self._is_mine(file)

    def frames(self) -> list[FrameType]:
        """The user's frames, the innermost first."""
        found = []
        frame: FrameType | None = sys._getframe(1)
        while frame:
            if self._owns(frame.f_code):
                found.append(frame)
            frame = frame.f_back
        return found

    def methods(self) -> Iterator[tuple[int, object]]:
        """The objects whose methods are running that the user's code itself called, the innermost first, each with the number of
        the user's frames up to that."""
        frame: FrameType | None = sys._getframe(1)
        frames = 0
        while frame:
            if self._owns(frame.f_code):
                frames += 1
                if frame.f_code.co_varnames[:1] == ("self",) and self._owns_caller(frame):
                    yield frames, frame.f_locals.get("self")
            frame = frame.f_back

    def _owns_caller(self, called: FrameType) -> bool:
        frame = called.f_back
        while frame and frame.f_code.co_filename.startswith(_BELOW):
            frame = frame.f_back
        return frame is not None and self._owns(frame.f_code)

    def direct(self) -> bool:
        """The user's code itself called what runs in torch, with no library between."""
        frame: FrameType | None = sys._getframe(1)
        while frame and frame.f_code.co_filename.startswith(_BELOW):
            frame = frame.f_back
        return frame is not None and self._owns(frame.f_code)

    def calls(self) -> bool:
        """The user's code itself called what is hooked, not torch on its behalf, nor the recorder, which computes, too."""
        frame: FrameType | None = sys._getframe(1)
        while frame and not frame.f_code.co_filename.startswith("<loopcheck"):  # the hook
            frame = frame.f_back
        while frame and frame.f_code.co_filename.startswith("<loopcheck"):
            frame = frame.f_back
        return frame is not None and self._owns(frame.f_code)

    def _owns(self, code: CodeType) -> bool:
        mine = self._mine.get(code)
        if mine is None:
            mine = self._mine[code] = self._is_mine(code.co_filename)
        return mine

    def _is_mine(self, file: str) -> bool:
        """Not of the standard library, an installed package, torch or loopcheck."""
        if file.startswith("<") or file.startswith(_PACKAGE):
            return False
        path = str(Path(file).resolve())
        library = max((len(folder) for folder in self._libraries if path.startswith(folder)), default=0)
        return not library or (path.startswith(self._home) and len(self._home) > library)


_INSTALLED = ("site-packages", "dist-packages")


def _libraries() -> list[str]:
    """The folders of installed packages, those of another environment that is on the path among them."""
    folders = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders |= {*site.getsitepackages(), site.getusersitepackages()}
    folders |= {folder for folder in sys.path if Path(folder).name in _INSTALLED}
    return [str(Path(folder).resolve()) for folder in folders if folder]


def _constructs(frame: FrameType, made: object) -> bool:
    code = frame.f_code
    return code.co_name == "__init__" and frame.f_locals.get(code.co_varnames[0]) is made


def _site(frames: list[FrameType]) -> Site:
    stack = tuple((frame.f_code.co_filename, frame.f_lineno) for frame in frames)
    calls = tuple(_text(frame) for frame in frames)
    return Site(*stack[0], calls[0], stack, tuple(frame.f_code.co_name for frame in frames), calls)


def _text(frame: FrameType) -> str:
    """The call that the frame is at; the whole line where Python does not tell columns (before 3.11)."""
    file, line = frame.f_code.co_filename, frame.f_lineno
    if sys.version_info >= (3, 11):
        first, last, start, end = list(frame.f_code.co_positions())[frame.f_lasti // 2]
        if first and last and start is not None and end is not None:
            rows = [linecache.getline(file, row).encode() for row in range(first, last + 1)]
            rows[-1] = rows[-1][:end]
            rows[0] = rows[0][start:]
            if rows[0].startswith(b"for "):  # Python gives the whole loop for the place where a pass begins
                rows = rows[:1]
            return " ".join(b"".join(rows).decode(errors="replace").split("  #")[0].rstrip(": \n").split())
    return linecache.getline(file, line).split("  #")[0].strip()

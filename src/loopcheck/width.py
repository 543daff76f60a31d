"""How long a line may be, as a project tells its formatter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from loopcheck.config import read
from loopcheck.kinds import ConfigError

_FILES = ("ruff.toml", ".ruff.toml", "pyproject.toml")
_FORMATTERS = ("ruff", "black")
_UNTOLD = 88
"""What both of them go by where they are told nothing."""


def told(folder: Path, top: Path) -> int | None:
    """The columns of a line in a folder's files, by the nearest file up to the project's top that says so; else None."""
    for each in (folder, *folder.parents):
        for file in (each / name for name in _FILES):
            if file.is_file() and (said := _said(file)) is not None:
                return said
        if each == top:
            break
    return None


def _said(file: Path) -> int | None:
    try:
        content = read(file)
    except ConfigError:
        return None
    if file.name != "pyproject.toml":
        return _length(content)
    tools = content.get("tool")
    asked = [tools[name] for name in _FORMATTERS if name in tools] if isinstance(tools, dict) else []
    return _length(asked[0]) if asked else None


def _length(table: Any) -> int:
    said = table.get("line-length") if isinstance(table, dict) else None
    return said if isinstance(said, int) and said > 0 else _UNTOLD

"""The project's settings: the table `[tool.loopcheck]` of the nearest pyproject.toml that has one."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loopcheck.cache import FOLDER
from loopcheck.misuse import Misuse
from loopcheck.rule import Confidence
from loopcheck.select import DEFAULT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CONFIDENCES = tuple(str(confidence) for confidence in Confidence)


class ConfigError(Misuse):
    """Settings that cannot be used: the file, the key and what is allowed."""


@dataclass(frozen=True)
class Settings:
    """What a project asks for.

    file: where it says so, if anywhere. exclude: patterns as in .gitignore, relative to `folder`, as `cache_dir` is.
    min_confidence: what is less sure is neither shown nor mended, nor does it fail a run. What is told at low confidence is as
    often wrong as right, so it is for those who ask for it.
    """

    folder: Path
    file: Path | None = None
    select: tuple[str, ...] = DEFAULT
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    min_confidence: Confidence = Confidence.MEDIUM
    cache_dir: str = FOLDER

    @property
    def cache(self) -> Path:
        """Where to keep what runs find out: in the project, or here where nothing says what the project is."""
        return (self.folder if self.file else Path.cwd()) / self.cache_dir


def load(folder: Path) -> Settings:
    """The settings that hold for a folder. Raises ConfigError where they cannot be used."""
    for file in projects(folder):
        table = read(file).get("tool", {}).get("loopcheck")
        if table is not None:
            return Settings(file.parent, file, **_checked(table, file))
    return Settings(folder)


def projects(folder: Path) -> Iterator[Path]:
    """Every pyproject.toml from a folder upward."""
    return (file for above in (folder, *folder.parents) if (file := above / "pyproject.toml").is_file())


def read(file: Path) -> dict[str, Any]:
    """A TOML file. Raises ConfigError where it cannot be read."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{file} cannot be read: {error}") from None


def _checked(table: Any, file: Path) -> dict[str, Any]:
    """The table's values by the field of Settings."""
    if not isinstance(table, dict):
        raise ConfigError(f"{file}: `tool.loopcheck` must be a table")
    return {key.replace("-", "_"): _value(key, value, file) for key, value in table.items()}


def _value(key: str, value: Any, file: Path) -> object:
    match key, value:
        case (("select" | "ignore" | "exclude"), list()) if all(isinstance(each, str) for each in value):
            return tuple(value)
        case (("select" | "ignore" | "exclude"), _):
            raise ConfigError(f"{file}: `{key}` of [tool.loopcheck] must be a list of strings, not {value!r}")
        case "cache-dir", str() if value:
            return value
        case "cache-dir", _:
            raise ConfigError(f"{file}: `{key}` of [tool.loopcheck] must be the path of a folder, not {value!r}")
        case "min-confidence", str() if value in CONFIDENCES:
            return Confidence[value.upper()]
        case "min-confidence", _:
            raise ConfigError(f"{file}: `{key}` of [tool.loopcheck] must be one of {', '.join(CONFIDENCES)}, not {value!r}")
    raise ConfigError(f"{file}: [tool.loopcheck] has no key `{key}`; {_hint(key, KEYS)}")


def _hint(key: str, keys: Sequence[str]) -> str:
    near = difflib.get_close_matches(key.replace("_", "-"), keys, 1)
    return f"did you mean `{near[0]}`?" if near else f"it may have {', '.join(keys)}"


KEYS = ("select", "ignore", "exclude", "min-confidence", "cache-dir")

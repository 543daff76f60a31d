"""The project's settings: the table `[tool.loopcheck]` of the nearest pyproject.toml that has one."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loopcheck.rule import Confidence
from loopcheck.select import DEFAULT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CONFIDENCES = tuple(str(confidence) for confidence in Confidence)


class ConfigError(Exception):
    """Settings that cannot be used: the file, the key and what is allowed."""


@dataclass(frozen=True)
class Settings:
    """What a project asks for.

    file: where it says so, if anywhere. exclude: patterns as in .gitignore, relative to `folder`.
    """

    folder: Path
    file: Path | None = None
    select: tuple[str, ...] = DEFAULT
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    min_confidence: Confidence = Confidence.LOW


def load(folder: Path) -> Settings:
    """The settings that hold for a folder. Raises ConfigError where they cannot be used."""
    for above in (folder, *folder.parents):
        file = above / "pyproject.toml"
        table = _table(file) if file.is_file() else None
        if table is not None:
            return Settings(above, file, **_checked(table, file))
    return Settings(folder)


def _table(file: Path) -> Any:
    try:
        with file.open("rb") as stream:
            return tomllib.load(stream).get("tool", {}).get("loopcheck")
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
        case "min-confidence", str() if value in CONFIDENCES:
            return Confidence[value.upper()]
        case "min-confidence", _:
            raise ConfigError(f"{file}: `{key}` of [tool.loopcheck] must be one of {', '.join(CONFIDENCES)}, not {value!r}")
    raise ConfigError(f"{file}: [tool.loopcheck] has no key `{key}`; {_hint(key, KEYS)}")


def _hint(key: str, keys: Sequence[str]) -> str:
    near = difflib.get_close_matches(key.replace("_", "-"), keys, 1)
    return f"did you mean `{near[0]}`?" if near else f"it may have {', '.join(keys)}"


KEYS = ("select", "ignore", "exclude", "min-confidence")

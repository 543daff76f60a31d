"""The project's settings: the nearest loopcheck.toml, or table `[tool.loopcheck]` of a pyproject.toml."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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

    file: where it says so, if anywhere. exclude, extend_exclude: patterns as in .gitignore, relative to `folder`, as `cache_dir`
    is. force_exclude: they hold for files that are named, too. per_file_ignores: rules that are not judged, by such a pattern.
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
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def excluded(self) -> tuple[str, ...]:
        return (*self.exclude, *self.extend_exclude)

    @property
    def cache(self) -> Path:
        """Where to keep what runs find out: in the project, or here where nothing says what the project is."""
        return self.home / self.cache_dir

    @property
    def home(self) -> Path:
        """The project's folder, or the current one where nothing says what the project is."""
        return self.folder if self.file else Path.cwd()


OWN = "loopcheck.toml"


def load(folder: Path, file: Path | None = None, isolated: bool = False) -> Settings:
    """The settings that hold for a folder. Raises ConfigError where they cannot be used.

    file: the one that holds, wherever it is. isolated: none does.
    """
    found = [file] if file else [] if isolated else _files(folder)
    for each in found:
        content = read(each)
        table = content if each.name != _PROJECT else content.get("tool", {}).get("loopcheck")
        if table is not None:
            return Settings(each.absolute().parent, each, **_checked(table, each))
    return Settings(folder)


class Projects:
    """The settings that hold in each folder: those nearest to it, or those of one file everywhere, or none."""

    def __init__(self, file: Path | None = None, isolated: bool = False) -> None:
        self._file = file
        self._isolated = isolated
        self._known: dict[Path, Settings] = {}

    def of(self, folder: Path) -> Settings:
        """Raises ConfigError."""
        folder = folder.absolute()
        if folder not in self._known:
            self._known[folder] = load(folder, self._file, self._isolated)
        return self._known[folder]


def _files(folder: Path) -> Iterator[Path]:
    """Every file that may hold settings, from a folder upward; of one folder's, our own first."""
    named = (above / name for above in (folder, *folder.parents) for name in (OWN, _PROJECT))
    return (file for file in named if file.is_file())


def told(settings: Settings) -> str:
    """The settings as a file could say them, after where they are from."""
    values = ((key, getattr(settings, key.replace("-", "_"))) for key in KEYS)
    rows = [f"{key} = {json.dumps(str(value) if isinstance(value, Confidence) else value)}" for key, value in values]
    return "\n".join([f"# {settings.file or 'no file says anything: what holds by default'}", *rows])


def projects(folder: Path) -> Iterator[Path]:
    """Every pyproject.toml from a folder upward."""
    return (file for above in (folder, *folder.parents) if (file := above / _PROJECT).is_file())


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
        case (("select" | "ignore" | "exclude" | "extend-exclude"), _):
            return _strings(key, value, file)
        case "per-file-ignores", dict():
            return {pattern: _strings(f"{key}.{pattern}", rules, file) for pattern, rules in value.items()}
        case "per-file-ignores", _:
            raise ConfigError(f"{file}: `{key}`{_of(file)} must be a table of lists of rules by patterns, not {value!r}")
        case "force-exclude", bool():
            return value
        case "force-exclude", _:
            raise ConfigError(f"{file}: `{key}`{_of(file)} must be true or false, not {value!r}")
        case "cache-dir", str() if value:
            return value
        case "cache-dir", _:
            raise ConfigError(f"{file}: `{key}`{_of(file)} must be the path of a folder, not {value!r}")
        case "min-confidence", str() if value in CONFIDENCES:
            return Confidence[value.upper()]
        case "min-confidence", _:
            raise ConfigError(f"{file}: `{key}`{_of(file)} must be one of {', '.join(CONFIDENCES)}, not {value!r}")
    raise ConfigError(f"{file}:{_of(file).removeprefix(' of')} has no key `{key}`; {_hint(key, KEYS)}")


def _strings(key: str, value: Any, file: Path) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ConfigError(f"{file}: `{key}`{_of(file)} must be a list of strings, not {value!r}")
    return tuple(value)


def _of(file: Path) -> str:
    return " of [tool.loopcheck]" if file.name == _PROJECT else ""


def _hint(key: str, keys: Sequence[str]) -> str:
    near = difflib.get_close_matches(key.replace("_", "-"), keys, 1)
    return f"did you mean `{near[0]}`?" if near else f"it may have {', '.join(keys)}"


_PROJECT = "pyproject.toml"
KEYS = (
    "select", "ignore", "exclude", "min-confidence", "cache-dir", "extend-exclude", "force-exclude", "per-file-ignores",
)  # fmt: skip

"""The project's settings: the nearest loopcheck.toml, or table `[tool.loopcheck]` of a pyproject.toml."""

from __future__ import annotations

import difflib
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from loopcheck.cache import FOLDER
from loopcheck.kinds import (
    CONFIDENCE,
    FILE_PATH,
    FLAG,
    FOLDER_PATH,
    NAMES,
    RULES_BY_PATTERN,
    STRINGS,
    VERSION,
    ConfigError,
    Kind,
)
from loopcheck.kinds import CONFIDENCES as CONFIDENCES
from loopcheck.rule import Confidence
from loopcheck.select import ALL, DEFAULT
from loopcheck.structs import dataclass, field

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

EXCLUDED = ("wandb/", "lightning_logs/", "mlruns/", "/outputs/", "/checkpoints/")
"""What runs leave behind: copies of the code that they ran."""


@dataclass(frozen=True)
class Settings:
    """What a project asks for.

    file: where it says so, if anywhere. exclude, extend_exclude: patterns as in .gitignore, relative to `folder`, as `cache_dir`
    is. force_exclude: they hold for files that are named, too. per_file_ignores: rules that are not judged, by such a pattern.
    min_confidence: what is less sure is neither shown nor mended, nor does it fail a run. What is told at low confidence is as
    often wrong as right, so it is for those who ask for it. same_as: functions and classes that are read as known ones are.
    fixable, unfixable: rules whose findings may be mended, and those of them that may not. extend_safe_fixes,
    extend_unsafe_fixes: rules whose unsafe fixes are taken for safe ones, and the other way round, which counts before it.
    origins: where each value that is said is said, by its field.
    """

    folder: Path
    file: Path | None = None
    select: tuple[str, ...] = DEFAULT
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = EXCLUDED
    min_confidence: Confidence = Confidence.MEDIUM
    cache_dir: str = FOLDER
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    same_as: Mapping[str, str] = field(default_factory=dict)
    required_version: str = ""
    fixable: tuple[str, ...] = (ALL,)
    unfixable: tuple[str, ...] = ()
    extend_safe_fixes: tuple[str, ...] = ()
    extend_unsafe_fixes: tuple[str, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict, compare=False)

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
_ON_LINE = Path("--config")
NOTHING: Mapping[str, Any] = MappingProxyType({})


def load(folder: Path, file: Path | None = None, isolated: bool = False, over: Mapping[str, Any] = NOTHING) -> Settings:
    """The settings that hold for a folder. Raises ConfigError where they cannot be used.

    file: the one that holds, wherever it is. isolated: none does. over: values that count before any file's, by their fields.
    """
    found = [file] if file else [] if isolated else _files(folder)
    for each in found:
        table = _table(each)
        if table is not None:
            return _settings(each.absolute().parent, each, _extended(table, each), over)
    return _settings(folder, None, {}, over)


def _settings(folder: Path, file: Path | None, values: Mapping[str, _Said], over: Mapping[str, Any]) -> Settings:
    said = {name: each.value for name, each in values.items()} | dict(over)
    where = {name: each.at for name, each in values.items()} | dict.fromkeys(over, str(_ON_LINE))
    return Settings(folder, file, **said, origins=where)


def said(values: Sequence[str]) -> tuple[Path | None, dict[str, Any]]:
    """What a command line says of settings: the file that holds, and values, `key = value`, that count before those of a file.

    Raises ConfigError.
    """
    file: Path | None = None
    over: dict[str, Any] = {}
    for value in values:
        if Path(value).is_file():
            file = Path(value)
        elif "=" not in value:
            raise ConfigError(f"--config: there is no file {value!r}; it is one, or says `key = value`")
        else:
            over.update({name: each.value for name, each in _checked(_parsed(value), _ON_LINE).items()})
    if EXTEND in over:
        raise ConfigError(f"--config: `{EXTEND}` stands in a file, or give that file")
    return file, over


def _parsed(value: str) -> dict[str, Any]:
    """`key = value`; what is not written as TOML has it is text."""
    try:
        return tomllib.loads(value)
    except tomllib.TOMLDecodeError as error:
        key, _, text = value.partition("=")
        try:
            return tomllib.loads(f"{key}={json.dumps(text.strip())}")
        except tomllib.TOMLDecodeError:
            raise ConfigError(f"--config: {value!r} cannot be read: {error}") from None


class Projects:
    """The settings that hold in each folder: those nearest to it, or those of one file everywhere, or none."""

    def __init__(self, file: Path | None = None, isolated: bool = False, over: Mapping[str, Any] = NOTHING) -> None:
        self._file = file
        self._isolated = isolated
        self._over = over
        self._known: dict[Path, Settings] = {}

    def of(self, folder: Path) -> Settings:
        """Raises ConfigError."""
        folder = folder.absolute()
        if folder not in self._known:
            self._known[folder] = load(folder, self._file, self._isolated, self._over)
        return self._known[folder]


def _files(folder: Path) -> Iterator[Path]:
    """Every file that may hold settings, from a folder upward; of one folder's, our own first."""
    named = (above / name for above in (folder, *folder.parents) for name in (OWN, _PROJECT))
    return (file for file in named if file.is_file())


def told(settings: Settings) -> str:
    """The settings as a file could say them, after where they are from, each that is said with where that is."""
    rows: list[str] = []
    for key in KEYS:
        name = key.replace("-", "_")
        if key not in (EXTEND, REQUIRED):
            value = getattr(settings, name)
            written = json.dumps(str(value) if isinstance(value, Confidence) else value)
            rows.append(f"{key} = {written}" + (f"  # {settings.origins[name]}" if name in settings.origins else ""))
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


def _table(file: Path) -> Any:
    """What a file says of us; None where it says nothing."""
    content = read(file)
    return content if file.name != _PROJECT else content.get("tool", {}).get("loopcheck")


@dataclass(frozen=True)
class _Said:
    """A value, and where it is said."""

    value: Any
    at: str


def _extended(table: Any, file: Path, by: tuple[Path, ...] = ()) -> dict[str, _Said]:
    """The table's values by the field of Settings, over those of the file that it extends; the folder stays the first file's."""
    own = _checked(table, file)
    base = own.pop(EXTEND, None)
    if base is None:
        return own
    other = Path(os.path.normpath(file.absolute().parent / base.value))
    if other in (file.absolute(), *by):
        raise ConfigError(f"{file}: `{EXTEND}`{_of(file)} leads back to {other}")
    return _extended(_table(other) or {}, other, (*by, file.absolute())) | own


def _checked(table: Any, file: Path) -> dict[str, _Said]:
    """The table's values by the field of Settings."""
    if not isinstance(table, dict):
        raise ConfigError(f"{file}: `tool.loopcheck` must be a table")
    found: dict[str, _Said] = {}
    for key, value in sorted(table.items(), key=lambda item: item[0] != REQUIRED):
        if key not in KEYS:
            raise ConfigError(f"{_at(file, key)}:{_of(file).removeprefix(' of')} has no key `{key}`; {_hint(key, tuple(KEYS))}")
        found[key.replace("-", "_")] = _Said(KEYS[key].kind.read(value, partial(_named, file, key)), _at(file, key))
    return found


def _named(file: Path, key: str, what: str) -> str:
    return f"{_at(file, key)}: `{key}{what}`{_of(file)}"


def _at(file: Path, key: str) -> str:
    """Where a file says something under a key: the file, row and column, as far as that can be told by the form of lines."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines() if file != _ON_LINE else []
    except (OSError, UnicodeDecodeError):
        lines = []
    within, table = file.name != _PROJECT, "" if file.name != _PROJECT else "tool.loopcheck"
    own = re.compile(rf"(\s*)[\"']?{re.escape(key)}[\"']?\s*[=.]")
    for row, line in enumerate(lines, 1):
        if head := _HEAD.fullmatch(line):
            name = re.sub(r"[\s\"']", "", head[2])
            if name == f"{table}.{key}".removeprefix("."):
                return f"{file}:{row}:{len(head[1]) + 1}"
            within = name == table
        elif within and (said := own.match(line)):
            return f"{file}:{row}:{len(said[1]) + 1}"
    return str(file)


def _of(file: Path) -> str:
    return " of [tool.loopcheck]" if file.name == _PROJECT else ""


def _hint(key: str, keys: Sequence[str]) -> str:
    near = difflib.get_close_matches(key.replace("_", "-"), keys, 1)
    return f"did you mean `{near[0]}`?" if near else f"it may have {', '.join(keys)}"


@dataclass(frozen=True)
class Key:
    """A setting. says: what it is for, in a sentence."""

    kind: Kind
    says: str


_PROJECT = "pyproject.toml"
_HEAD = re.compile(r"(\s*)\[([\w.\"' -]+)\]\s*(?:#.*)?")
EXTEND = "extend"
REQUIRED = "required-version"
KEYS: Mapping[str, Key] = {
    "select": Key(STRINGS, "Rules to judge: codes, the beginnings of codes, names, groups or ALL."),
    "ignore": Key(STRINGS, "Rules that are not judged, of those that are selected."),
    "exclude": Key(STRINGS, "Patterns, as in .gitignore, of what is left out of folders, in the place of what is so by default."),
    "extend-exclude": Key(STRINGS, "Patterns of what is left out besides."),
    "force-exclude": Key(FLAG, "Whether what is excluded is left out even where it is named."),
    "per-file-ignores": Key(RULES_BY_PATTERN, "Rules that are not judged in some files, by patterns of their paths."),
    "min-confidence": Key(CONFIDENCE, "How sure a finding has to be to be told."),
    "fixable": Key(STRINGS, "Rules whose findings may be mended."),
    "unfixable": Key(STRINGS, "Rules whose findings are left to a person, of those that may be mended."),
    "extend-safe-fixes": Key(STRINGS, "Rules whose unsafe fixes are made as if they were safe."),
    "extend-unsafe-fixes": Key(STRINGS, "Rules whose safe fixes are made only where unsafe ones are asked for."),
    "same-as": Key(
        NAMES, "Functions and classes of yours, by full name, each with a known one that does the same: it is read as that one."
    ),
    "cache-dir": Key(FOLDER_PATH, "Where a run keeps what the next one need not find out again."),
    EXTEND: Key(FILE_PATH, "A file with settings, from here, that hold where this one says nothing."),
    REQUIRED: Key(VERSION, "The versions of loopcheck that may be used: bounds by commas."),
}


def schema() -> dict[str, Any]:
    """A JSON schema of a loopcheck.toml, and of what pyproject.toml has under `tool.loopcheck`."""
    usual = Settings(Path())
    properties: dict[str, Any] = {}
    for key, each in KEYS.items():
        default = getattr(usual, key.replace("-", "_"), None)
        said = str(default) if isinstance(default, Confidence) else default
        properties[key] = {**each.kind.schema, "description": each.says} | ({"default": said} if said not in (None, "") else {})
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Settings of loopcheck",
        "type": "object",
        "additionalProperties": False,
        "properties": json.loads(json.dumps(properties)),
    }

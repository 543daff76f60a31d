"""What a value in the settings may be: how it is read, what is said of another one, and its JSON schema for editors."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import loopcheck
from loopcheck.misuse import Misuse
from loopcheck.rule import Confidence
from loopcheck.structs import dataclass

CONFIDENCES = tuple(str(confidence) for confidence in Confidence)


class ConfigError(Misuse):
    """Settings that cannot be used: the file, the key and what is allowed."""


Named: TypeAlias = Callable[[str], str]
"""From a part of a value, empty for all of it, to how a person is told where that is."""


@dataclass(frozen=True)
class Kind:
    """What a value may be. schema: of JSON, for editors. read: the value as it is used. Raises ConfigError."""

    schema: Mapping[str, object]
    read: Callable[[Any, Named], object]


def _strings(value: Any, named: Named) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ConfigError(f"{named('')} must be a list of strings, not {value!r}")
    return tuple(value)


def _rules_by_pattern(value: Any, named: Named) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise ConfigError(f"{named('')} must be a table of lists of rules by patterns, not {value!r}")
    return {pattern: _strings(rules, partial(_part, named, pattern)) for pattern, rules in value.items()}


def _part(named: Named, part: str, what: str) -> str:
    return named(f".{part}{what}")


def _names(value: Any, named: Named) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(name, str) and _DOTTED.fullmatch(name) for name in value.values()):
        raise ConfigError(f"{named('')} must be a table of known names by names of yours, not {value!r}")
    if wrong := [name for name in value if not _DOTTED.fullmatch(name)]:
        raise ConfigError(f"{named('')} must have names with the module that they are from, `my.module.clip`, not {wrong[0]!r}")
    return value


def _flag(value: Any, named: Named) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{named('')} must be true or false, not {value!r}")
    return value


def _path(what: str) -> Callable[[Any, Named], str]:
    def read(value: Any, named: Named) -> str:
        if not isinstance(value, str) or not value:
            raise ConfigError(f"{named('')} must be the path of a {what}, not {value!r}")
        return value

    return read


def _confidence(value: Any, named: Named) -> Confidence:
    if value not in CONFIDENCES:
        raise ConfigError(f"{named('')} must be one of {', '.join(CONFIDENCES)}, not {value!r}")
    return Confidence[value.upper()]


def _version(value: Any, named: Named) -> str:
    """Bounds that this version is in."""
    bounds = [_BOUND.fullmatch(each.strip()) for each in value.split(",")] if isinstance(value, str) else [None]
    for bound in bounds:
        if bound is None:
            raise ConfigError(f"{named('')} must be bounds of a version, `>=0.1,<1`, not {value!r}")
        if not _COMPARED[bound[1] or "=="](_numbers(loopcheck.__version__), _numbers(bound[2])):
            raise ConfigError(f"{named('')} asks for loopcheck {value}, and this is {loopcheck.__version__}")
    return str(value)


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, so that 1.0 is 1."""
    numbers = [int(each) for each in re.findall(r"\d+", version)]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+")
_BOUND = re.compile(r"(==|!=|<=|>=|<|>)?\s*(\d+(?:\.\d+)*)")
_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
_LIST: Mapping[str, object] = {"type": "array", "items": {"type": "string"}}
STRINGS = Kind(_LIST, _strings)
RULES_BY_PATTERN = Kind({"type": "object", "additionalProperties": _LIST}, _rules_by_pattern)
NAMES = Kind({"type": "object", "additionalProperties": {"type": "string", "pattern": f"^{_DOTTED.pattern}$"}}, _names)
FLAG = Kind({"type": "boolean"}, _flag)
FOLDER_PATH = Kind({"type": "string", "minLength": 1}, _path("folder"))
FILE_PATH = Kind({"type": "string", "minLength": 1}, _path("file"))
CONFIDENCE = Kind({"enum": list(CONFIDENCES)}, _confidence)
VERSION = Kind({"type": "string"}, _version)

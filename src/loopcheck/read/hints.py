"""What the text of a file says at a glance, without being parsed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Set
from functools import lru_cache

from loopcheck.read.triage import worth_inlining
from loopcheck.read.values import Const

_USES = re.compile(r"(?=\b(\w+)\.(\w+))|\b(\w+)(?=\()")
_OPTION = re.compile(r"add_argument\(\s*((?:[\"'][\w-]+[\"'],?\s*)+)(.*?)\)\s*$", re.M | re.S)
_DEF = re.compile(r"(?:(?:async )?def|class) (\w+)")
_HELD = re.compile(r"\bself\.(\w+)\b(?=[^=()\n]*=(?!=))")
_CALLED = re.compile(r"(\w+)\s*\(")
_CALLED_OF = re.compile(r"(?<![.\w])(\w+)\.\w[\w.]*\(")
_DEFAULT = re.compile(r"default\s*=\s*(-?[\d.]+(?:e-?\d+)?)\s*(?:,|$)")


@lru_cache(maxsize=128)
def uses(text: str) -> Mapping[str, Set[str]]:
    """What is done with each name: the attributes taken of it, and `()` where it is called."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, attribute, called in _USES.findall(text):
        if called:
            found[called].add("()")
        else:
            found[name].add(attribute)
    return found


@lru_cache(maxsize=128)
def augmented(text: str) -> frozenset[str]:
    """The names that are counted with, `+=`: what they are bound to first is not what they are."""
    return frozenset(re.findall(r"(\w+)\s*[-+*/]=", text))


@lru_cache(maxsize=128)
def options(text: str) -> Mapping[str, Const]:
    """The defaults of an argument parser's options, by their name."""
    found: dict[str, Const] = {}
    for names, rest in _OPTION.findall(text):
        name = re.findall(r"[\"'](-{0,2}[\w-]+)[\"']", names)[-1].lstrip("-").replace("-", "_")
        default = _DEFAULT.search(rest[:300])
        if default:
            found[name] = Const(float(default[1]))
    return found


@lru_cache(maxsize=128)
def functions(text: str) -> Mapping[str, str]:
    """The code of every function, method and class by its name; of several of one name, all of it."""
    found: dict[str, list[str]] = defaultdict(list)
    inside: list[tuple[int, str]] = []
    marks: list[str] = []
    for line in text.splitlines(keepends=True):
        code = line.lstrip()
        if code and not code.startswith(("#", ")")):
            indent = len(line) - len(code)
            inside = [each for each in inside if each[0] < indent]
            if begins := _DEF.match(code):
                inside.append((indent, begins[1]))
                found[begins[1]] += marks
            marks = [*marks, line] if code.startswith("@") else []
        for _, name in inside:
            found[name].append(line)
    return {name: "".join(lines) for name, lines in found.items()}


@lru_cache(maxsize=4096)
def calls(code: str) -> frozenset[str]:
    """The names that code calls, and those whose attributes it calls: `engine` of `engine.run()`."""
    return frozenset(_CALLED.findall(code)) | frozenset(_CALLED_OF.findall(code))


def acting(text: str, seeds: frozenset[str] = frozenset()) -> frozenset[str]:
    """The functions, methods and classes that can do something to training, by themselves or through others of the file.

    seeds: those that call code of other files that can.
    """
    code = functions(text)
    held = frozenset(_HELD.findall(text))
    found = set(seeds) | {name for name in code if name not in seeds and worth_inlining(code[name], held)}
    called = {name: calls(code[name]) for name in code}
    while more := {name for name in code if name not in found and called[name] & found}:
        found |= more
    return frozenset(found)

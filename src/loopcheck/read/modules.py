"""What a module of the project is made of, as far as its class says."""

from __future__ import annotations

import re
from collections.abc import Callable

from loopcheck.read.expressions import text
from loopcheck.read.values import Class
from loopcheck.read.vocabulary.layers import MODED, MODELESS

_LAYER = re.compile(r"\bnn\.(\w+)")
_TRAINS = re.compile(r"\.backward\(|\.step\(|zero_grad\(|GradScaler|\boptim\b")


def moded(lineage: list[Class], find: Callable[[str], Class | None], seen: frozenset[str] = frozenset()) -> bool | None:
    """Whether it has layers that differ between the modes; None where some are out of sight.

    lineage: the class and its bases. find: a class of the file by its name.
    """
    code = source(lineage)
    if MODED.search(code):
        return True
    layers = _LAYER.findall(code)
    own = set(re.findall(r"\b([A-Z]\w+)\(", code)) - set(layers) - seen - {each.node.name.value for each in lineage}
    inner = [find(name) for name in own]
    known = [moded([each], find, seen | own) for each in inner if each is not None]
    if any(known):
        return True
    plain = all(map(MODELESS.match, layers)) and not _handed_layers(code)
    return False if layers and plain and len(known) == len(own) and None not in known else None


def layerless(lineage: list[Class]) -> bool:
    """It computes and holds nothing that is trained: a criterion, say."""
    code = source(lineage)
    layers = [
        each for each in _LAYER.findall(code) if each not in ("Module", "functional", "utils") and not each.endswith("Loss")
    ]
    return not layers and not re.search(r"=\s*(?:(?!nn\.)\w+\.)*[A-Z]\w+\(", code) and "Parameter(" not in code


def trains(cls: Class) -> bool:
    """Its methods do more than compute: they step, clear, or go backward."""
    return bool(_TRAINS.search(text(cls.node)))


def source(lineage: list[Class]) -> str:
    return "\n".join(text(each.node) for each in lineage)


def _handed_layers(code: str) -> bool:
    """It is handed its layers: what they are is not in sight."""
    handed = re.findall(r"self\.(\w+)\s*=\s*(?:nn\.Module(?:List|Dict)\()?[a-z_]\w*\)?\s*$", code, re.M)
    return any(re.search(rf"self\.{name}\b(?:\[\w+\])?\(|in (?:enumerate\()?self\.{name}\b", code) for name in handed)

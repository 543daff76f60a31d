"""Reports that earlier runs left: one stands as long as everything that it depended on would be found the same."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from loopcheck import plain
from loopcheck.asked import Asked
from loopcheck.cache import digest
from loopcheck.finding import Report
from loopcheck.read.library import Library
from loopcheck.rule import Rule

KIND = "report"


def recall(path: Path, rules: Sequence[Rule], library: Library) -> Report | None:
    """What judging a file would come to, where an earlier run tells; nothing is parsed for it."""
    told = library.cache.get(KIND, _key(path, rules))
    try:
        packed, asked = told
        return plain.unpack(packed, rules) if library.stands(Asked.unpack(asked)) else None
    except (LookupError, TypeError, ValueError):
        return None


def keep(path: Path, rules: Sequence[Rule], library: Library, report: Report, asked: Asked) -> None:
    """Leave a report, and what was asked on the way to it, to later runs. What is known without parsing is known without this."""
    if library.cache.folder is not None and ("content", os.path.realpath(path)) in asked.answers:
        library.cache.put(KIND, _key(path, rules), [plain.pack(report), asked.pack()])


def _key(path: Path, rules: Sequence[Rule]) -> str:
    """The file, how it is to be called, and what it is judged by. Its content is among what is asked, so that a file has one
    report and not one for each of its versions."""
    return digest(json.dumps([os.path.realpath(path), str(path), *(rule.code for rule in rules)]).encode())
